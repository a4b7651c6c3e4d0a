// Turns the error of a request into a Fault: one sentence that says what to do, and an exit code.

import { isStatusError } from '@homeostat/meta'
import { Fault, systemCode } from '../fault.ts'

export const EXIT = { failed: 1, notFound: 3, processFailed: 4, processCancelled: 5, timeout: 6 } as const

/** An error that is neither a Status of the server nor a connection error is a defect, and is returned as it is. */
export function faultOf(error: unknown, url: string | undefined): unknown {
  if (error instanceof Fault) return error
  if (isStatusError(error))
    return new Fault(answerText(error.message, error.code), { cause: error, ...codeOf(error.code) })
  if (!(error instanceof Error)) return error
  const code = systemCode(error)
  if (url === undefined) return new Fault(`${error.message}; or name a server with --server URL`, { cause: error })
  if (code === 'ECONNREFUSED') {
    const what = `no server answers at ${url}`
    return new Fault(`${what}; start one with \`homeostat up\`, or name another with --server`, { cause: error })
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Fault(`${url}: no address is known for ${new URL(url).hostname}; check the name`, { cause: error })
  }
  if (code === 'EPROTO') {
    return new Fault(`${url}: what listens there does not speak TLS; name it with http://`, { cause: error })
  }
  if (code !== undefined || error.cause !== undefined || isTransportFault(error)) {
    return new Fault(`${url}: ${error.message}`, { cause: error })
  }
  return error
}

/** The object does not exist, but its kind does: the Status names the object. */
export function isMissing(error: unknown): boolean {
  return isStatusError(error, 'NotFound')
}

/** The revision is older than what the server remembers. */
export function isExpired(error: unknown): boolean {
  return isStatusError(error, 'Expired') || isStatusError(error, 'Gone')
}

/** The kind itself is not served: the Status names no object. */
export function isNotServed(error: unknown): boolean {
  return isStatusError(error, 'NotFound') && !error.status.details?.name
}

export function notFoundFault(message: string): Fault {
  return new Fault(message, { exitCode: EXIT.notFound })
}

function answerText(message: string, code: number): string {
  if (code === 401) return `the server does not know who asks: ${message}`
  if (code === 403) return `the server does not allow it: ${message}`
  return message
}

function codeOf(code: number): { exitCode?: number } {
  return code === 404 ? { exitCode: EXIT.notFound } : {}
}

function isTransportFault({ message }: Error): boolean {
  return message.startsWith('"') && message.includes('is not the URL of a server')
}
