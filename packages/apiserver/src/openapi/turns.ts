// Lets others have their turn in the middle of long work.

import { nextTurn } from '../registry/turns.ts'

const TURN_MS = 10

export class Turns {
  #since = performance.now()

  /** Call between two steps; it waits only when this turn has been long. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return
    await nextTurn()
    this.#since = performance.now()
  }
}
