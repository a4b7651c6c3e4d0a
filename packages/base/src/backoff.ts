// How long to wait before the next try of a key: twice as long after each failure, within bounds, with jitter so
// that keys which failed at the same time do not retry at the same time. It computes delays and never waits.

export interface BackoffOptions {
  /** The first delay. Default 1000 ms. */
  min?: number
  /** No delay is longer. Default 300,000 ms. */
  max?: number
  /** The share of a delay that is random. Default 0.1. */
  jitter?: number
  /** Between 0 and 1. Default Math.random. */
  random?: () => number
}

export class Backoff<K> {
  readonly #failures = new Map<K, number>()
  readonly #min: number
  readonly #max: number
  readonly #jitter: number
  readonly #random: () => number

  constructor({ min = 1000, max = 300_000, jitter = 0.1, random = Math.random }: BackoffOptions = {}) {
    this.#min = min
    this.#max = Math.max(min, max)
    this.#jitter = jitter
    this.#random = random
  }

  /** Counts a failure and returns the delay in milliseconds. */
  next(key: K): number {
    const failures = this.failures(key)
    this.#failures.set(key, failures + 1)
    const delay = Math.min(this.#min * 2 ** failures, this.#max / (1 + this.#jitter))
    return Math.max(this.#min, delay * (1 + this.#jitter * this.#random()))
  }

  /** How often the key failed since it was last forgotten. */
  failures(key: K): number {
    return this.#failures.get(key) ?? 0
  }

  /** The next failure of the key starts from the beginning. Call it after every success, or keys add up. */
  forget(key: K): void {
    this.#failures.delete(key)
  }
}
