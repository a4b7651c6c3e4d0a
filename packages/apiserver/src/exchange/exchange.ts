// One request and its answer, on its way through the router and the handlers: what was asked, how to answer, and what became
// known of it on the way, for metrics and logs.

import type { StatusError } from '@homeostat/meta'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { ApiRequest, type RequestParts } from './api-request.ts'
import { ApiResponse, type ResponseOwner, type ResponseParts } from './api-response.ts'
import { asStatusError, sendFailure } from './failure.ts'
import type { Transport } from './transport.ts'
import type { WaitingBudget } from './waiting-budget.ts'

/** What all exchanges of a server share. */
export interface ExchangeParts extends ResponseParts, RequestParts {
  /** Hears of the end of every answer, once. */
  onAnswered(exchange: Exchange): void
}

export class Exchange implements ResponseOwner {
  readonly transport: Transport
  readonly request: ApiRequest
  readonly response: ApiResponse
  readonly started = performance.now()
  verb = 'other'
  /** Whoever asks, once that is known. */
  user: User = ADMINISTRATOR
  type: ResourceType | undefined
  subresource = ''
  failure: StatusError | undefined
  /** Where the request counts as in flight until it is answered. */
  lane: WaitingBudget | undefined
  readonly #parts: ExchangeParts

  constructor(transport: Transport, parts: ExchangeParts) {
    this.#parts = parts
    this.transport = transport
    this.request = new ApiRequest(transport, parts)
    this.response = new ApiResponse(this.request, transport, parts, this)
  }

  /** Called by whoever ends an answer that `response` did not send. */
  answered(): void {
    this.#parts.onAnswered(this)
  }

  /** Answers with the error; an answer that has begun is cut off, so that nobody takes half of it for the whole. */
  fail(error: unknown): void {
    this.failure = asStatusError(error)
    if (this.transport.headSent) {
      this.transport.cut()
      this.answered()
    } else sendFailure(this.failure, this)
  }
}
