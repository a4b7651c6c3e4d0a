// A semaphore with a bounded queue: takers that find no room wait in order, for a bounded time. The router limits requests
// in flight by it, an exchange the bytes of responses.

import { type Clock, systemClock } from '@homeostat/base'
import type { StatusError } from '@homeostat/meta'
import { tooManyRequests } from '@homeostat/meta/server'

export interface BudgetOptions {
  /** The most that may be taken at once. A single taker never takes more. */
  readonly total: number
  /** How many may wait; the next is refused at once. */
  readonly maxWaiting: number
  /** How long each of them waits before it is refused. */
  readonly maxWaitMs: number
  /** The message of the 429. */
  readonly message: string
  readonly clock?: Clock
}

interface Waiter {
  readonly amount: number
  readonly go: () => void
}

const RETRY_AFTER_S = 1

export class WaitingBudget {
  readonly #options: BudgetOptions
  readonly #waiting = new Set<Waiter>()
  /** The amount that is taken now. */
  used = 0
  /** How many takers were refused so far. */
  refused = 0

  constructor(options: BudgetOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.size
  }

  get isHalfTaken(): boolean {
    return this.used * 2 >= this.#options.total
  }

  /** Takes the amount if there is room and no taker waits; returns whether it did. */
  tryTake(amount: number): boolean {
    if (this.#waiting.size > 0 || !this.#fits(amount)) return false
    this.used += amount
    return true
  }

  /** Waits for the amount. Rejects with 429 when the queue is full or the wait takes too long. */
  take(amount: number): Promise<void> {
    if (this.tryTake(amount)) return Promise.resolve()
    const { maxWaiting, maxWaitMs, clock = systemClock } = this.#options
    if (this.#waiting.size >= maxWaiting) return Promise.reject(this.#refusal())
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        amount,
        go: () => {
          cancel()
          resolve()
        },
      }
      const cancel = clock.setTimer(maxWaitMs, () => {
        this.#waiting.delete(waiter)
        reject(this.#refusal())
        this.#admit()
      })
      this.#waiting.add(waiter)
    })
  }

  /** Returns a taken amount. */
  give(amount: number): void {
    this.used -= amount
    if (this.#waiting.size > 0) this.#admit()
  }

  /** An amount above the total is granted when nothing else is taken. */
  #fits(amount: number): boolean {
    return this.used === 0 || this.used + amount <= this.#options.total
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (!this.#fits(waiter.amount)) return
      this.#waiting.delete(waiter)
      this.used += waiter.amount
      waiter.go()
    }
  }

  #refusal(): StatusError {
    this.refused++
    return tooManyRequests(this.#options.message, RETRY_AFTER_S)
  }
}
