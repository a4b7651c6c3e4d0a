// A token bucket: a burst, refilled at a rate. Rate limits of requests and of Events are built on it. It reads no clock;
// callers pass the time.

export interface Allowance {
  /** The burst: tokens available after a quiet time. */
  readonly burst: number
  readonly perSecond: number
}

export class TokenBucket {
  readonly #allowance: Allowance
  #tokens: number
  #at: number

  constructor(allowance: Allowance, now: number) {
    this.#allowance = allowance
    this.#tokens = allowance.burst
    this.#at = now
  }

  /** Whether a token is left. */
  has(now: number): boolean {
    this.#refill(now)
    return this.#tokens >= 1
  }

  take(): void {
    this.#tokens -= 1
  }

  /** Whether nothing was taken for long enough that the whole burst is left. */
  isFull(now: number): boolean {
    this.#refill(now)
    return this.#tokens === this.#allowance.burst
  }

  /** Milliseconds until a token is left; 0 when one is. */
  wait(now: number): number {
    this.#refill(now)
    if (this.#tokens >= 1) return 0
    return Math.ceil(((1 - this.#tokens) * 1000) / this.#allowance.perSecond)
  }

  #refill(now: number): void {
    const gained = (Math.max(0, now - this.#at) * this.#allowance.perSecond) / 1000
    this.#tokens = Math.min(this.#allowance.burst, this.#tokens + gained)
    this.#at = now
  }
}
