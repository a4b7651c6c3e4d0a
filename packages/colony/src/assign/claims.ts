// Finds a waiting call for a Process that is about to be stored, so that it is stored as running on that executor: one
// durable write instead of two. The rules of the kind Process call it.

import type { CachedObject } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Process } from '@homeostat/executor/protocol'
import type { KubeObject } from '@homeostat/meta'
import type { ColonyMetrics } from '../metrics/colony-metrics.ts'
import { processFacts } from '../queue/process-facts.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import { assigned, isRefusal } from '../queue/transitions.ts'
import type { WaitingCalls } from './waiting-calls.ts'

export interface ClaimParts {
  readonly queue: ProcessQueue
  readonly calls: WaitingCalls
  readonly clock: Clock
  readonly metrics: ColonyMetrics
}

export class Claims {
  readonly #parts: ClaimParts

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  /**
   * Sets the status of the new Process to Running. The caller must call the returned function with the result of the write.
   * A Process with a concurrency key is never claimed, since others may hold the key.
   */
  claim(object: KubeObject): ((stored: CachedObject | undefined) => void) | undefined {
    const { queue, calls, clock, metrics } = this.#parts
    if (!calls.hasRoom) return undefined
    const process = processFacts(object, 0)
    const { spec, status } = object as unknown as Process
    const { namespace, demands, concurrencyKey } = process
    const now = clock.now()
    const running = assigned(spec, status, '', now)
    if (concurrencyKey !== undefined || isRefusal(running)) return undefined
    const accepts = (puller: Parameters<ProcessQueue['wouldGet']>[0]) => queue.wouldGet(puller, demands, now)
    const call = calls.matchNew(accepts, namespace, demands.executorType)
    if (call === undefined) return undefined
    const settle = call.hold()
    object.status = { ...running, executor: call.puller.name }
    return (stored) => {
      if (stored !== undefined) metrics.assigned(process, clock.now())
      settle(stored)
    }
  }
}
