// Waits for cancels with a call of its own while the executor is full, since no poll is under way that could return them.

import { pause } from '@homeostat/base'
import { EMPTY_MS, POLL_SECONDS } from './assign-loops.ts'
import type { LoopParts } from './loop-parts.ts'

/** The call is not made for a function that ends sooner. */
const WAIT_AFTER_MS = 250

export class CancelLoop {
  readonly #parts: LoopParts

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  async run(signal: AbortSignal): Promise<void> {
    const { held, changed } = this.#parts
    while (!signal.aborted) {
      if (held.isFull) await this.#whileFull(signal)
      else await changed.wait(signal)
    }
  }

  async #whileFull(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts.settings
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    void this.#untilRoom(over)
    await pause(clock, WAIT_AFTER_MS, until)
    if (until.aborted) return
    const began = clock.now()
    await this.#call(until)
    if (clock.now() - began < EMPTY_MS) await pause(clock, EMPTY_MS, until)
    over.abort()
  }

  async #call(signal: AbortSignal): Promise<void> {
    const { calls, running, end } = this.#parts
    try {
      running.cancel((await calls.assign({ max: 0 }, POLL_SECONDS, signal)).cancelled)
    } catch (error) {
      // The heartbeat handles any other failure.
      end.endsWith(error)
    }
  }

  async #untilRoom(over: AbortController): Promise<void> {
    const { held, changed } = this.#parts
    while (held.isFull && !over.signal.aborted) await changed.wait(over.signal)
    over.abort()
  }
}
