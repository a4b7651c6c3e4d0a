// The open long polls: those that wait for work, and those of full executors that wait for a cancel. Each ends once: with
// work, when its time is up, or when the response has to name a cancel.

import type { Clock } from '@homeostat/base'
import { keyOf } from '../kinds/resources.ts'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import type { Puller, QueuedProcess } from '../queue/queued-process.ts'
import { Sets } from '../queue/sets.ts'
import { WaitingPullers } from '../queue/waiting-pullers.ts'
import type { StateListener } from '../state/state-listener.ts'
import { ParkedCall, type Parking, type WaitEnd } from './parked-call.ts'

export class WaitingCalls implements StateListener {
  readonly #clock: Clock
  readonly #forWork: Parking = { free: new WaitingPullers(), collecting: new WaitingPullers() }
  readonly #forCancels = new Sets<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many wait for work. */
  get size(): number {
    return this.#forWork.free.size
  }

  /** Whether a new Process may be stored for a call. */
  get hasRoom(): boolean {
    return this.#forWork.free.size + this.#forWork.collecting.size > 0
  }

  /** Parks a call until it gets work or is stopped. */
  park(puller: Puller, max: number): ParkedCall {
    return new ParkedCall(this.#forWork, puller, max)
  }

  async waitForWork(puller: Puller, max: number, ms: number, signal: AbortSignal): Promise<WaitEnd> {
    const call = this.park(puller, max)
    const stop = () => call.stop()
    const cancelTimer = this.#clock.setTimer(ms, stop)
    signal.addEventListener('abort', stop)
    try {
      return await call.ended
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', stop)
    }
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
  match(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): ParkedCall | undefined {
    return this.#forWork.free.match(accepts, namespace, executorType)
  }

  /** The call that a new Process is stored for: one that has nothing yet, or else one that takes more. */
  matchNew(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): ParkedCall | undefined {
    const { free, collecting } = this.#forWork
    return free.match(accepts, namespace, executorType) ?? collecting.match(accepts, namespace, executorType)
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
    for (const call of this.#forWork.free.of(namespace, name)) call.stop()
    for (const call of this.#forWork.collecting.of(namespace, name)) call.stop()
  }
}
