// The client-side rate limit: a request waits for its token, first come, first served. The sender asks it before every
// try. It limits requests, not the events of a watch that is open.

import { type Allowance, type Clock, TokenBucket } from '@homeostat/base'

export interface RateLimit {
  /** Requests per second, averaged; retries and the start of a watch count. */
  readonly perSecond: number
  /** Requests that may go at once after a quiet time. Default: those of two seconds. */
  readonly burst?: number
  /** Called with the time that each request waited, in milliseconds; 0 for one that did not. */
  readonly onWait?: (ms: number) => void
}

export class RateLimiter {
  readonly #clock: Clock
  readonly #bucket: TokenBucket
  readonly #onWait: (ms: number) => void
  /** In the order of arrival. */
  readonly #waiting = new Set<() => void>()
  #cancelTimer: (() => void) | undefined

  constructor(limit: RateLimit, clock: Clock) {
    this.#clock = clock
    this.#onWait = limit.onWait ?? (() => {})
    this.#bucket = new TokenBucket(allowanceOf(limit), clock.now())
  }

  /** Resolves when the request may be sent; rejects with the reason of the first signal that aborts. */
  async admit(signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    if (this.#waiting.size > 0 || !this.#bucket.has(this.#clock.now())) return this.#wait(signals)
    this.#bucket.take()
    this.#onWait(0)
  }

  #wait(signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const began = this.#clock.now()
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#waiting.delete(go)
        for (const signal of signals) signal?.removeEventListener('abort', abort)
        settle()
      }
      const go = () => {
        this.#onWait(this.#clock.now() - began)
        end(resolve)
      }
      const abort = (event: Event) => {
        end(() => reject((event.target as AbortSignal).reason))
        if (this.#waiting.size === 0) this.#cancelTimer?.()
      }
      for (const signal of signals) signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(go)
      if (this.#waiting.size === 1) this.#arm()
    })
  }

  #arm(): void {
    this.#cancelTimer = this.#clock.setTimer(this.#bucket.wait(this.#clock.now()), () => this.#admitNext())
  }

  #admitNext(): void {
    for (const go of this.#waiting) {
      if (!this.#bucket.has(this.#clock.now())) {
        this.#arm()
        return
      }
      this.#bucket.take()
      go()
    }
  }
}

function allowanceOf({ perSecond, burst = Math.max(1, Math.ceil(2 * perSecond)) }: RateLimit): Allowance {
  if (!(perSecond > 0 && burst >= 1)) {
    throw new Error(`a rate limit needs perSecond > 0 and burst >= 1; it has ${perSecond} and ${burst}`)
  }
  return { perSecond, burst }
}
