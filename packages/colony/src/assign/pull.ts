// One call for work, from its arrival to its response: it takes what is available, or waits. pull-plan.ts decides each step.

import type { CachedObject } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { Puller } from '../queue/queued-process.ts'
import type { AssignmentWriter } from './assignment-writer.ts'
import type { WaitEnd } from './parked-call.ts'
import { nextPullStep } from './pull-plan.ts'
import type { WaitingCalls } from './waiting-calls.ts'

export interface PullParts {
  readonly queue: ProcessQueue
  readonly calls: WaitingCalls
  readonly writer: AssignmentWriter
  readonly clock: Clock
}

export interface PullRequest {
  readonly puller: Puller
  /** How many Processes are wanted. */
  readonly max: number
  /** How many of them would not begin at once. */
  readonly ahead: number
  readonly waitMs: number
  /** The closes of the same call, under way. */
  readonly closes: Promise<void> | undefined
  /** Whether the Executor object still exists. */
  isRegistered(): boolean
}

/** What the call has now. */
type State = WaitEnd | { readonly found: 'nothing' }

const UNKNOWN: State = { found: 'unknown' }
const NOTHING: State = { found: 'nothing' }

/**
 * Returns the Processes that run on the puller from now on; none when the time is up, the caller has disconnected, or the
 * response has to name a cancel. Processes that are available at once are written concurrently with the closes.
 */
export async function pull(
  parts: PullParts,
  request: PullRequest,
  signal: AbortSignal,
): Promise<readonly CachedObject[]> {
  const { calls, writer, clock } = parts
  const { puller, max, ahead, closes } = request
  const until = clock.now() + request.waitMs
  let state: State = closes === undefined ? UNKNOWN : await closeAndAssign(parts, request, closes, signal)
  for (;;) {
    const msLeft = until - clock.now()
    const isRegistered = state.found !== 'nothing' || request.isRegistered()
    const step = nextPullStep({ found: state.found, isConnected: !signal.aborted, isRegistered, msLeft })
    if (step === 'respond') return state.found === 'running' ? state.running : []
    if (step === 'look') state = look(parts, request)
    else if (step === 'wait') state = await calls.waitForWork(puller, { max, ahead }, msLeft, signal)
    else if (state.found === 'reserved') state = runningOf(await writer.assign(state.reserved, puller.name))
    else if (state.found === 'running') {
      await writer.giveBack(state.running, puller.name)
      state = NOTHING
    }
  }
}

/**
 * Assigns what is available before the closes. If nothing is, the call is parked while they are written, so that a Process which is
 * submitted meanwhile is stored as its own. Then the queue is read again, since the closes may free a key.
 */
async function closeAndAssign(
  { queue, calls, writer, clock }: PullParts,
  { puller, max, ahead }: PullRequest,
  closes: Promise<void>,
  signal: AbortSignal,
): Promise<State> {
  const reserved = signal.aborted ? [] : queue.take(puller, max, clock.now())
  if (reserved.length > 0) return runningOf(await writer.assignBeside(closes, reserved, puller.name))
  if (signal.aborted) {
    await closes
    return UNKNOWN
  }
  const call = calls.park(puller, { max, ahead })
  const stop = () => call.stop()
  closes.then(stop, stop)
  const end = await call.ended
  if (end.found === 'reserved') return runningOf(await writer.assignBeside(closes, end.reserved, puller.name))
  if (end.found === 'running')
    return { found: 'running', running: await writer.keepBeside(closes, end.running, puller.name) }
  await closes
  return UNKNOWN
}

function look({ queue, clock }: PullParts, { puller, max }: PullRequest): State {
  const reserved = queue.take(puller, max, clock.now())
  return reserved.length > 0 ? { found: 'reserved', reserved } : NOTHING
}

/** When no assignment could be written, other Processes may have become available meanwhile. */
function runningOf(running: readonly CachedObject[]): State {
  return running.length > 0 ? { found: 'running', running } : UNKNOWN
}
