// The two loops that make assign calls. One polls for work and sends outcomes with it; one reports outcomes at once while the
// poll waits or the executor is full. held-processes.ts decides what they send.

import { pause } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { Batch } from './held-processes.ts'
import type { LoopParts } from './loop-parts.ts'
import { notify } from './notify.ts'
import type { AssignResponse } from './protocol.ts'
import { refusalOf } from './refusal.ts'

export const POLL_SECONDS = 30
/** A poll that returns nothing in less time is repeated only after this time. */
export const EMPTY_MS = 1000

export class AssignLoops {
  readonly #parts: LoopParts

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  async poll(signal: AbortSignal): Promise<void> {
    // A call with outcomes does not wait for work, so that they are closed at once.
    await this.#loop(
      'poll',
      ({ outcomes, returned }) => (outcomes.length + returned.length > 0 ? 0 : POLL_SECONDS),
      signal,
    )
  }

  async report(signal: AbortSignal): Promise<void> {
    await this.#loop('report', () => 0, signal)
  }

  async #loop(way: Batch['way'], timeoutSeconds: (batch: Batch) => number, signal: AbortSignal): Promise<void> {
    const { held, changed } = this.#parts
    while (!signal.aborted) {
      const batch = held.next(way)
      if (batch === undefined) await changed.wait(signal)
      else await this.#send(batch, timeoutSeconds(batch), signal)
    }
  }

  async #send(batch: Batch, timeoutSeconds: number, signal: AbortSignal): Promise<void> {
    const { calls, settings } = this.#parts
    const began = settings.clock.now()
    let answer: AssignResponse
    try {
      answer = await calls.assign(batch.request, timeoutSeconds, signal)
    } catch (error) {
      await this.#failed(batch, error, signal)
      return
    }
    const isIdle = this.#succeeded(batch, answer)
    if (isIdle && settings.clock.now() - began < EMPTY_MS) {
      settings.log.debug({}, 'a poll was answered at once with nothing')
      await pause(settings.clock, EMPTY_MS, signal)
    }
  }

  /** Returns whether the call was idle: no outcome sent, no Process and no new cancel received. */
  #succeeded(batch: Batch, { processes, cancelled }: AssignResponse): boolean {
    const { held, changed, retries, running, settings } = this.#parts
    retries.succeeded(batch.way)
    held.taken(batch)
    for (const { process, outcome } of batch.outcomes) {
      notify(settings.log, 'onClosed', () => settings.onClosed(process, outcome))
    }
    held.assigned(processes)
    running.begin()
    const isNewCancel = running.cancel(cancelled)
    changed.wake()
    return processes.length + batch.outcomes.length + batch.returned.length === 0 && !isNewCancel
  }

  async #failed(batch: Batch, error: unknown, signal: AbortSignal): Promise<void> {
    const { held, changed, end, registration, retries, settings } = this.#parts
    if (end.endsWith(error)) {
      held.refused(batch, { causes: new Map(), final: true, message: '' })
      return
    }
    const refusal = signal.aborted || batch.outcomes.length === 0 ? undefined : refusalOf(error)
    if (refusal === undefined) held.unsent(batch)
    else this.#giveUp(held.refused(batch, refusal), error)
    changed.wake()
    if (refusal !== undefined || signal.aborted) return
    if (isStatusError(error, 'NotFound')) await registration.registerAgain(signal)
    else retries.warn(batch.way, error)
    await pause(settings.clock, retries.next(batch.way), signal)
  }

  #giveUp(outcomes: Batch['outcomes'], error: unknown): void {
    const { log } = this.#parts.settings
    for (const { outcome } of outcomes) {
      const { process, attempt, result } = outcome
      log.warn({ err: error, process, attempt, result }, 'the server refused the end of a process')
    }
  }
}
