// Shows failures in kubectl's words, and remembers them while a verb goes on with what else it has to do.

import { isStatusError, type StatusError, writeJson } from '@homeostat/meta'
import { faultOf } from '../../access/failure.ts'
import { Fault } from '../../fault.ts'
import type { Terminal } from '../../terminal.ts'

export class Problems {
  readonly #terminal: Terminal
  readonly #url: string
  #count = 0

  constructor(terminal: Terminal, url: string) {
    this.#terminal = terminal
    this.#url = url
  }

  get exitCode(): number {
    return this.#count === 0 ? 0 : 1
  }

  /** Undefined if the work failed. `where` is the place in a file that the work is about. */
  async attempt<T>(work: () => Promise<T>, where?: string): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.report(error, where)
      return undefined
    }
  }

  /** Throws what is a defect of the command and no failure of its work. */
  report(error: unknown, where?: string): void {
    const fault = faultOf(error, this.#url)
    if (!(fault instanceof Fault)) throw fault
    this.#count += 1
    this.#terminal.error(`${where === undefined ? '' : `${where}: `}${failureText(fault)}\n`)
  }
}

export function failureText(fault: Fault): string {
  return isStatusError(fault.cause) ? serverText(fault.cause) : `error: ${fault.message}`
}

function serverText({ message, reason, status }: StatusError): string {
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`
  if (reason === 'Invalid' && status.details?.name) return invalidText(status)
  return `Error from server${reason ? ` (${reason})` : ''}: ${message}`
}

function invalidText({ details }: StatusError['status']): string {
  const causes = (details?.causes ?? []).map(({ field, message }) => (field ? `${field}: ${message}` : `${message}`))
  const what = `The ${details?.kind} ${writeJson(details?.name)} is invalid`
  if (causes.length === 0) return what
  return causes.length === 1 ? `${what}: ${causes[0]}` : `${what}: \n* ${causes.join('\n* ')}`
}
