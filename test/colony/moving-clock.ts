// Moves a clock on a little with each turn of the event loop, so that calls take some time, as in life.

import type { ManualClock } from '@homeostat/base'
import { onTestFinished } from 'vitest'
import type { Random } from '../crash/random.ts'

const MOST = 5

export class Moving {
  readonly #clock: ManualClock
  readonly #random: Random
  /** Milliseconds with each turn. */
  most = MOST
  #next: NodeJS.Immediate | undefined

  constructor(clock: ManualClock, random: Random) {
    this.#clock = clock
    this.#random = random
    onTestFinished(() => this.stop())
  }

  readonly go = (): void => {
    this.#next = setImmediate(this.go)
    this.#clock.advance(this.#random.between(0, this.most + 1))
  }

  stop(): void {
    clearImmediate(this.#next)
  }
}
