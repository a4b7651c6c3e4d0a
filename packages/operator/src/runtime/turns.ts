// Lets the event loop turn now and then: runs that need nothing from the network would otherwise be gone through in one
// go, however many there are.

import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 10

export class Turns {
  #since = performance.now()
  #turn: Promise<void> | undefined

  /** Returns at once unless this has gone on for long. */
  next(): Promise<void> | undefined {
    if (this.#turn !== undefined) return this.#turn
    if (performance.now() - this.#since < SLICE_MS) return undefined
    this.#turn = setImmediate(undefined).then(() => {
      this.#turn = undefined
      this.#since = performance.now()
    })
    return this.#turn
  }
}
