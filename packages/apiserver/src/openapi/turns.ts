// Lets others have their turn in the middle of long work.

const TURN_MS = 10

export class Turns {
  #since = performance.now()

  /** Call between two steps; it waits only when this turn has been long. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = performance.now()
  }
}
