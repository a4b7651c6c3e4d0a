// Sends a heartbeat with the held attempts every ten seconds, and at once after a pause of the whole program. The response
// names attempts that were cancelled or lost.

import { PauseWatch, pause } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { LoopParts } from './loop-parts.ts'
import { HEARTBEAT_SECONDS } from './protocol.ts'

const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000
const SHORTEST_RETRY_MS = 1000

export class HeartbeatLoop {
  readonly #parts: LoopParts
  #beatNow = new AbortController()

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts.settings
    const pauses = new PauseWatch({ clock, onPause: (ms) => this.#resumed(ms) })
    let ms: number | undefined = HEARTBEAT_MS
    while (ms !== undefined) {
      await pause(clock, ms, AbortSignal.any([signal, this.#beatNow.signal]))
      ms = signal.aborted ? undefined : await this.#beat(signal)
    }
    pauses.close()
  }

  /** Returns the time until the next heartbeat; undefined when there is none. */
  async #beat(signal: AbortSignal): Promise<number | undefined> {
    const { calls, held, changed, running, retries, registration, end } = this.#parts
    try {
      const { cancelled, lost } = await calls.heartbeat({ holding: held.holding }, signal)
      retries.succeeded('heartbeat')
      running.cancel(cancelled)
      running.lose(lost, 'the process was given to others')
      changed.wake()
      return HEARTBEAT_MS
    } catch (error) {
      if (signal.aborted || end.endsWith(error)) return undefined
      if (isStatusError(error, 'NotFound')) await registration.registerAgain(signal)
      else retries.warn('heartbeat', error)
      return Math.max(SHORTEST_RETRY_MS, retries.next('heartbeat'))
    }
  }

  #resumed(ms: number): void {
    this.#parts.settings.log.warn(
      { seconds: Math.round(ms / 1000) },
      'the executor did not run for a while; it asks what is still its own',
    )
    this.#beatNow.abort()
    this.#beatNow = new AbortController()
  }
}
