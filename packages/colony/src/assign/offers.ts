// Gives each Process that becomes available in the queue to exactly one waiting call.

import type { ProcessQueue } from '../queue/process-queue.ts'
import type { Puller } from '../queue/queued-process.ts'
import type { TimedWork } from '../time/shared-timer.ts'
import type { WaitingCalls } from './waiting-calls.ts'

export class Offers implements TimedWork {
  readonly #queue: ProcessQueue
  readonly #calls: WaitingCalls

  constructor(queue: ProcessQueue, calls: WaitingCalls) {
    this.#queue = queue
    this.#calls = calls
  }

  nextTime(): number | undefined {
    return this.#queue.nextRipe()
  }

  act(now: number): void {
    for (const { namespace, executorType } of this.#queue.ripe(now)) this.#offer(namespace, executorType, now)
  }

  #offer(namespace: string, executorType: string, now: number): void {
    if (this.#calls.size === 0) return
    const accepts = (puller: Puller) => this.#queue.eligible(puller, now)
    for (let call = this.#calls.match(accepts, namespace, executorType); call; ) {
      call.give(this.#queue.take(call.puller, call.max, now))
      call = this.#calls.match(accepts, namespace, executorType)
    }
  }
}
