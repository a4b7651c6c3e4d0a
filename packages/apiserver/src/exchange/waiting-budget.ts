// A number of things that may be under way at once. Whoever finds no room waits in line, not for ever and not in any
// number. The router keeps requests in flight within one, an exchange the bytes of answers.

import { type Clock, systemClock } from '@homeostat/base'
import { type StatusError, tooManyRequests } from '@homeostat/meta'

export interface BudgetOptions {
  /** How much may be taken at once. A single taker never takes more. */
  readonly total: number
  /** How many may wait; the next is refused at once. */
  readonly maxWaiting: number
  /** How long each of them waits before it is refused. */
  readonly maxWaitMs: number
  /** What the refused are told. */
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
  /** What is taken now. */
  used = 0
  /** How many were refused so far. */
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

  /** True when the amount could be taken at once. Nobody overtakes those who wait. */
  tryTake(amount: number): boolean {
    if (this.#waiting.size > 0 || !this.#fits(amount)) return false
    this.used += amount
    return true
  }

  /** Waits in line for the amount. Rejects with 429 when the line is too long or takes too long. */
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

  /** Gives back what was taken. */
  give(amount: number): void {
    this.used -= amount
    if (this.#waiting.size > 0) this.#admit()
  }

  /** One that wants more than there is in all gets its turn alone. */
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
