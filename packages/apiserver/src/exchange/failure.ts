// Answers a request with its error as a Status. A body that was not read to its end by then is dropped within bounds, so that
// the client gets to see why it was refused.

import { internalError, isStatusError, type StatusError } from '@homeostat/meta'
import type { ApiRequest } from './api-request.ts'
import type { ApiResponse } from './api-response.ts'
import { dropRest } from './drop-rest.ts'

/** So much of a body is read to its end for the sake of the connection. */
const SMALL_BODY = 64 << 10

export function asStatusError(error: unknown): StatusError {
  return isStatusError(error) ? error : internalError((error as Error)?.message ?? String(error))
}

/** Nothing may have been sent yet. */
export function sendFailure({ code, status }: StatusError, request: ApiRequest, response: ApiResponse): void {
  const { pretty, bodyRead } = request
  const retry = status.details?.retryAfterSeconds
  const more = retry === undefined ? [] : ['Retry-After', String(retry)]
  const body = Buffer.from(JSON.stringify(status, null, pretty ? 2 : undefined) + (pretty ? '\n' : ''))
  const answer = { contentType: 'application/json', body }
  const send = () => {
    if (request.bodyRead) response.send(code, answer, more)
    else response.sendEarly(code, answer, more)
  }
  if (bodyRead || !(Number(request.headers['content-length']) <= SMALL_BODY)) send()
  else dropRest(request.message, send)
}
