// Lets other work have its turn during a walk through many things.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a walk may hold the event loop, in ms. */
const LONGEST = 3
/** Looking at the clock costs more than most steps. */
const LOOK_EVERY = 32

export class TimeSlice {
  #steps = 0
  #began = performance.now()

  /** Call it with each step; when true, wait for `next` before going on. */
  get over(): boolean {
    return ++this.#steps % LOOK_EVERY === 0 && performance.now() - this.#began > LONGEST
  }

  async next(): Promise<void> {
    await nextTurn()
    this.#began = performance.now()
  }
}
