// `POST executors/{name}/heartbeat`: compares the attempts that the executor holds with those committed as running on it.

import type { ExtensionAnswer, ExtensionRequest } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { actingAs } from '../kinds/executor-permissions.ts'
import type { Requeue } from '../processes/requeue.ts'
import type { ExecutorLiveness } from '../queue/executor-liveness.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { Callers } from './callers.ts'
import type { CancelNotices } from './cancel-notices.ts'
import { readHeartbeat } from './read-call.ts'

export interface HeartbeatCallParts {
  readonly callers: Callers
  readonly liveness: ExecutorLiveness
  readonly queue: ProcessQueue
  readonly requeue: Requeue
  readonly cancels: CancelNotices
  readonly clock: Clock
}

export class HeartbeatCall {
  readonly #parts: HeartbeatCallParts

  constructor(parts: HeartbeatCallParts) {
    this.#parts = parts
  }

  async respond(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { callers, liveness, queue, requeue, cancels, clock } = this.#parts
    const { holding, instance } = readHeartbeat(await request.json())
    await request.requirePermission(actingAs({ namespace: request.namespace ?? '', name: request.name }))
    const executor = callers.caller(request, instance)
    const { namespace, name } = executor
    callers.heard(executor)
    const running = queue.running(namespace, name)
    const { cancelled, lost, missing } = liveness.heartbeat(namespace, name, holding, running, clock.now())
    await Promise.all(missing.map((process) => requeue.notHeld(process, name, process.attempt)))
    cancels.notified(namespace, cancelled)
    return { body: { cancelled, lost } }
  }
}
