// Waits for cancels while the executor has no room for more work: then no poll is under way that could bring them.

import { pause } from '@homeostat/base'
import { EMPTY_MS, POLL_SECONDS } from './assign-loops.ts'
import type { LoopParts } from './loop-parts.ts'

/** A function that ends sooner needs no such call. */
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
      // Any other trouble is noticed by the heartbeat.
      end.endsWith(error)
    }
  }

  async #untilRoom(over: AbortController): Promise<void> {
    const { held, changed } = this.#parts
    while (held.isFull && !over.signal.aborted) await changed.wait(over.signal)
    over.abort()
  }
}
