// Long-running requests of users who may lose their rights meanwhile: watches, event streams, logs, WebSockets, long
// polls. Each is authenticated and authorized again every few seconds, and cut off when that fails. The router adds them;
// those of the administrator need no check.

import type { Clock } from '@homeostat/base'
import type { Auth } from '../authn/auth.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { authorizeRequest } from './authorize-request.ts'
import type { RequestPath } from './request-path.ts'

/** With the time that a check takes, a right that ends is without effect within 10 s. */
const CHECK_EVERY_MS = 5000

export class OpenRequests {
  readonly #auth: Auth
  readonly #clock: Clock
  readonly #open = new Map<Exchange, RequestPath>()
  #cancel: (() => void) | undefined

  constructor(auth: Auth, clock: Clock) {
    this.#auth = auth
    this.#clock = clock
  }

  add(exchange: Exchange, target: RequestPath): void {
    this.#open.set(exchange, target)
    this.#cancel ??= this.#clock.setTimer(CHECK_EVERY_MS, () => this.#checkAll())
  }

  /** Called for every request that has ended. */
  remove(exchange: Exchange): void {
    if (this.#open.size > 0) this.#open.delete(exchange)
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#open.clear()
  }

  #checkAll(): void {
    this.#cancel = undefined
    for (const [exchange, target] of this.#open) void this.#check(exchange, target)
    if (this.#open.size > 0) this.#cancel = this.#clock.setTimer(CHECK_EVERY_MS, () => this.#checkAll())
  }

  /** Cuts the connection, so that no client takes what it got for complete; its next request gets the reason. */
  async #check(exchange: Exchange, target: RequestPath): Promise<void> {
    try {
      exchange.user = await this.#auth.authenticate(exchange.request)
      await authorizeRequest(exchange, target, this.#auth.authorizer)
      if ((await exchange.rightsHold?.()) === false) this.#cut(exchange)
    } catch {
      this.#cut(exchange)
    }
  }

  #cut(exchange: Exchange): void {
    this.#open.delete(exchange)
    exchange.transport.cut()
  }
}
