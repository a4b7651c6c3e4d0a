// Makes a StatusError of any response of 400 and above, also of those that no API server wrote: a proxy's page, a load
// balancer's text, an empty body. The sender calls it.

import { type Reason, type Status, StatusError, writeJson } from '@homeostat/meta'
import type { TransportRequest, TransportResponse } from '../api/transport.ts'
import { excerpt, readText } from './read-body.ts'

/** A Status is small; a larger body is not read to its end. */
const MAX_FAILURE_BYTES = 1024 * 1024

const REASONS: Readonly<Record<number, Reason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

export async function failureOf(request: TransportRequest, response: TransportResponse): Promise<StatusError> {
  const text = await readText(response, MAX_FAILURE_BYTES).catch((error: unknown) => {
    // The body broke off, but the status code is enough. An aborted caller gets its own reason.
    if (request.signal?.aborted) throw error
    return ''
  })
  return new StatusError(statusIn(text, response.status) ?? ownStatus(request, response, text))
}

/** Reads the Status of a watch's ERROR event. */
export function failureEvent(object: unknown): StatusError {
  if (isFailure(object)) return new StatusError(object)
  const message = `the watch failed: ${excerpt(writeJson(object))}`
  return new StatusError({ ...failed(500, message), reason: 'InternalError' })
}

function statusIn(text: string, code: number): Status | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const body: unknown = JSON.parse(text)
    return isFailure(body) ? { ...body, code: body.code ?? code } : undefined
  } catch {
    return undefined
  }
}

function isFailure(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status'
}

function ownStatus({ method, path }: TransportRequest, response: TransportResponse, text: string): Status {
  const code = response.status
  const said = excerpt(text)
  const reason = code === 409 && method === 'POST' ? 'AlreadyExists' : REASONS[code]
  const seconds = Number(response.header('retry-after'))
  return {
    ...failed(code, `the server answered ${code} to ${method} ${path}${said && `: ${said}`}`),
    ...(reason !== undefined && { reason }),
    ...(seconds > 0 && { details: { retryAfterSeconds: seconds } }),
  }
}

function failed(code: number, message: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code }
}
