// The open long polls: those that wait for work, and those of full executors that wait for a cancel. Each ends once: with
// work, when its time is up, or when the response has to name a cancel.

import type { CachedObject } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { keyOf } from '../kinds/resources.ts'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import type { Puller, QueuedProcess } from '../queue/queued-process.ts'
import { Sets } from '../queue/sets.ts'
import { WaitingPullers } from '../queue/waiting-pullers.ts'
import type { StateListener } from '../state/state-listener.ts'

/** What a wait for work ended with. */
export type WaitEnd =
  | { readonly found: 'reserved'; readonly reserved: readonly QueuedProcess[] }
  /** Stored as running on this executor by the very write that created it. */
  | { readonly found: 'running'; readonly running: readonly CachedObject[] }
  | { readonly found: 'ended' }
  /** It was held for a new Process that was not stored. */
  | { readonly found: 'unknown' }

export interface WaitingCall {
  readonly puller: Puller
  /** How many Processes it wants. */
  readonly max: number
  give(reserved: readonly QueuedProcess[]): void
  /** Holds the call for a Process that is about to be stored for it; call the returned function with the result. */
  hold(): (stored: CachedObject | undefined) => void
}

export class WaitingCalls implements StateListener {
  readonly #clock: Clock
  readonly #forWork = new WaitingPullers<WaitingCall & { interrupt(): void }>()
  readonly #forCancels = new Sets<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many wait for work. */
  get size(): number {
    return this.#forWork.size
  }

  waitForWork(puller: Puller, max: number, ms: number, signal: AbortSignal): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const stop = () => {
        leave()
        cancelTimer()
        signal.removeEventListener('abort', interrupt)
      }
      const end = (end: WaitEnd) => {
        stop()
        resolve(end)
      }
      const interrupt = () => end({ found: 'ended' })
      const give = (reserved: readonly QueuedProcess[]) => end({ found: 'reserved', reserved })
      const hold = () => {
        stop()
        return (stored: CachedObject | undefined) =>
          resolve(stored ? { found: 'running', running: [stored] } : { found: 'unknown' })
      }
      const leave = this.#forWork.add(puller, { puller, max, give, hold, interrupt })
      const cancelTimer = this.#clock.setTimer(ms, interrupt)
      signal.addEventListener('abort', interrupt)
    })
  }

  waitForCancel(executor: ExecutorName, ms: number, signal: AbortSignal): Promise<void> {
    const key = keyOf(executor)
    return new Promise((resolve) => {
      const end = () => {
        this.#forCancels.delete(key, end)
        cancelTimer()
        signal.removeEventListener('abort', end)
        resolve()
      }
      if (signal.aborted) return resolve()
      this.#forCancels.add(key, end)
      const cancelTimer = this.#clock.setTimer(ms, end)
      signal.addEventListener('abort', end)
    })
  }

  /** Removes and returns the call that has waited longest among those that `accepts` allows. */
  match(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): WaitingCall | undefined {
    return this.#forWork.match(accepts, namespace, executorType)
  }

  /** Ends the calls of an executor, so that their responses name the cancel. */
  processChanged({ namespace, phase, executor, cancel }: QueuedProcess, before: QueuedProcess | undefined): void {
    if (phase !== 'Running' || executor === undefined || !cancel || before?.cancel === true) return
    this.#interrupt({ namespace, name: executor })
  }

  executorReplaced(executor: ExecutorName): void {
    this.#interrupt(executor)
  }

  executorGone(executor: ExecutorName): void {
    this.#interrupt(executor)
  }

  #interrupt({ namespace, name }: ExecutorName): void {
    for (const end of [...this.#forCancels.get(keyOf({ namespace, name }))]) end()
    for (const call of [...this.#forWork.of(namespace, name)]) call.interrupt()
  }
}
