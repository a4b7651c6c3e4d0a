// The open long polls: those that wait for work, and those of full executors that wait for a cancel. Each ends once: with
// work, when its time is up, or when the response has to name a cancel.

import type { Clock } from '@homeostat/base'
import { keyOf } from '../kinds/resources.ts'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import type { Puller, QueuedProcess } from '../queue/queued-process.ts'
import { Sets } from '../queue/sets.ts'
import { WaitingPullers } from '../queue/waiting-pullers.ts'
import type { StateListener } from '../state/state-listener.ts'
import { ParkedCall, type Parking, type WaitEnd, type Wanted } from './parked-call.ts'

export class WaitingCalls implements StateListener {
  readonly #clock: Clock
  readonly #forWork: Parking = {
    free: new WaitingPullers(),
    ahead: new WaitingPullers(),
    collecting: new WaitingPullers(),
  }
  readonly #forCancels = new Sets<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many wait for work. */
  get size(): number {
    return this.#forWork.free.size + this.#forWork.ahead.size
  }

  /** Whether a new Process may be stored for a call. */
  get hasRoom(): boolean {
    return this.size + this.#forWork.collecting.size > 0
  }

  /** Parks a call until it gets work or is stopped. */
  park(puller: Puller, wanted: Wanted): ParkedCall {
    return new ParkedCall(this.#forWork, puller, wanted)
  }

  async waitForWork(puller: Puller, wanted: Wanted, ms: number, signal: AbortSignal): Promise<WaitEnd> {
    const call = this.park(puller, wanted)
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

  /**
   * Removes and returns the call that has waited longest among those that `accepts` allows. One that would begin at once comes
   * before one that fetches ahead.
   */
  match(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): ParkedCall | undefined {
    const { free, ahead } = this.#forWork
    return free.match(accepts, namespace, executorType) ?? ahead.match(accepts, namespace, executorType)
  }

  /** The same for a Process that is about to be stored. One that takes more comes before one that fetches ahead. */
  matchNew(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): ParkedCall | undefined {
    for (const parked of [this.#forWork.free, this.#forWork.collecting, this.#forWork.ahead]) {
      const call = parked.match(accepts, namespace, executorType)
      if (call !== undefined) return call
    }
    return undefined
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
    const { free, ahead, collecting } = this.#forWork
    for (const parked of [free, ahead, collecting]) for (const call of parked.of(namespace, name)) call.stop()
  }
}
