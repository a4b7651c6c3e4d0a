// One request and its response on the way through the router and the handlers, with what metrics and logs record of it.

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
  /** The user; set by authentication. */
  user: User = ADMINISTRATOR
  type: ResourceType | undefined
  subresource = ''
  failure: StatusError | undefined
  /** Asked with each check of a long request: whether the rights by which it showed something are still there. */
  rightsHold: (() => Promise<boolean>) | undefined
  /** The in-flight limit that the request counts against until it is answered. */
  lane: WaitingBudget | undefined
  readonly #parts: ExchangeParts

  constructor(transport: Transport, parts: ExchangeParts) {
    this.#parts = parts
    this.transport = transport
    this.request = new ApiRequest(transport, parts)
    this.response = new ApiResponse(this.request, transport, parts, this)
  }

  /** Called at the end of the response; by the handler, if it did not send it through `response`. */
  answered(): void {
    this.#parts.onAnswered(this)
  }

  /** Responds with the error. A response that has started is cut, so that the client does not take it for complete. */
  fail(error: unknown): void {
    this.failure = asStatusError(error)
    if (this.transport.headSent) {
      this.transport.cut()
      this.answered()
    } else sendFailure(this.failure, this)
  }
}
