// Responds with an error as a Status. The unread rest of the request's body is dropped within bounds, so that the client
// can read the response.

import { internalError, isStatusError, type StatusError } from '@homeostat/meta'
import { jsonResponse } from '../represent/object-response.ts'
import type { ApiRequest } from './api-request.ts'
import type { ApiResponse } from './api-response.ts'
import { dropRest } from './drop-rest.ts'
import type { Transport } from './transport.ts'

/** A body of at most this size is read to its end, to keep the connection alive. */
const SMALL_BODY = 64 << 10

export function asStatusError(error: unknown): StatusError {
  return isStatusError(error) ? error : internalError((error as Error)?.message ?? String(error))
}

interface Unanswered {
  readonly request: ApiRequest
  readonly response: ApiResponse
  readonly transport: Transport
}

/** The response must not have started. */
export function sendFailure({ code, status }: StatusError, { request, response, transport }: Unanswered): void {
  const retry = status.details?.retryAfterSeconds
  const more = retry === undefined ? [] : ['Retry-After', String(retry)]
  const answer = jsonResponse(status, request.pretty)
  const send = () => {
    if (transport.bodyArrived) response.send(code, answer, more)
    else response.sendEarly(code, answer, more)
  }
  if (transport.bodyArrived || !(Number(request.headers['content-length']) <= SMALL_BODY)) send()
  else dropRest(request.message, send)
}
