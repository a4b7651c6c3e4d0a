// `POST executors/{name}/assign`: closes the attempts that the executor finished, assigns the next Processes, and waits when
// there are none. The response also names the attempts that the executor should end.

import type { CachedObject, ExtensionAnswer, ExtensionRequest, User } from '@homeostat/apiserver'
import type { Attempt } from '@homeostat/executor/protocol'
import type { Inputs } from '../assign/inputs.ts'
import { type PullParts, pull } from '../assign/pull.ts'
import type { Handlers } from '../handlers/handling.ts'
import type { ProcessCloser } from '../processes/process-closer.ts'
import type { Requeue } from '../processes/requeue.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'
import type { Callers } from './callers.ts'
import type { CancelNotices } from './cancel-notices.ts'
import { type AssignCallBody, readAssign, readWait } from './read-call.ts'

export interface AssignCallParts {
  readonly callers: Callers
  readonly closer: ProcessCloser
  readonly cancels: CancelNotices
  readonly pulls: PullParts
  readonly inputs: Inputs
  readonly handlers: Pick<Handlers, 'withCurrentStatus'>
  readonly requeue: Requeue
}

export class AssignCall {
  readonly #parts: AssignCallParts

  constructor(parts: AssignCallParts) {
    this.#parts = parts
  }

  async respond(request: ExtensionRequest, user: User, signal: AbortSignal): Promise<ExtensionAnswer> {
    const { callers, cancels, inputs, handlers } = this.#parts
    const body = readAssign(await request.json())
    // Looked up after the body was read: the executor may have been deleted meanwhile.
    const executor = callers.caller(request, body.instance)
    const wait = readWait(request.query)
    callers.heard(executor)
    const waitMs = cancels.hasNew(executor, body.finished) ? 0 : wait
    const processes = await this.#pull(executor, user, body, waitMs, signal)
    const pieces = processes.map((process) => handlers.withCurrentStatus(process) ?? inputs.withInput(process))
    return { contentType: 'application/json', body: assignResponse(pieces, cancels.take(executor)) }
  }

  async #pull(
    executor: ExecutorFacts,
    user: User,
    { max, prefetch, free, finished, returned }: AssignCallBody,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<readonly CachedObject[]> {
    const { callers, pulls } = this.#parts
    const closes = this.#end(executor, user, finished, returned)
    if (max > 0) {
      const puller = { ...executor, cpu: free.cpu ?? executor.cpu, memory: free.memory ?? executor.memory }
      return pull(
        pulls,
        { puller, max, ahead: prefetch, waitMs, closes, isRegistered: () => callers.isRegistered(executor) },
        signal,
      )
    }
    if (closes !== undefined) await closes
    else if (waitMs > 0) await pulls.calls.waitForCancel(executor, waitMs, signal)
    return []
  }

  /** Undefined when no attempt ends with the call. */
  #end(
    executor: ExecutorFacts,
    user: User,
    finished: AssignCallBody['finished'],
    returned: AssignCallBody['returned'],
  ): Promise<void> | undefined {
    const { closer, requeue } = this.#parts
    if (returned.length === 0) return finished.length > 0 ? closer.closeAll(executor, finished, user) : undefined
    const { namespace, name } = executor
    const back = returned.map(({ process, attempt }) => requeue.notHeld({ namespace, name: process }, name, attempt))
    return Promise.all([...back, closer.closeAll(executor, finished, user)]).then(() => {})
  }
}

/** The bytes of Processes are sent as they are stored, but for their input and their resource's status. */
function assignResponse(processes: readonly Uint8Array[], cancelled: readonly Attempt[]): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from('{"processes":[')]
  for (const [index, bytes] of processes.entries()) {
    if (index > 0) pieces.push(Buffer.from(','))
    pieces.push(bytes)
  }
  pieces.push(Buffer.from(`],"cancelled":${JSON.stringify(cancelled)}}`))
  return Buffer.concat(pieces)
}
