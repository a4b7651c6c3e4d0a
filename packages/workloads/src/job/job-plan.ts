// Decides the next actions of a job: which pods to create and to delete, whether it is finished, and its status. Pure;
// `job-controller.ts` carries it out. The rules and messages are those of Kubernetes.

import { parseRfc3339, rfc3339 } from '@homeostat/meta'
import type { Job, JobStatus, Pod, WorkloadCondition } from '../kinds.ts'
import { firstToGo, isReady } from '../replica-set/replica-plan.ts'
import { retryAt } from './job-back-off.ts'
import { countPods, hasSucceeded, isOver, isTracked, type JobCount } from './job-count.ts'
import { formatIndexes, indexOf, parseIndexes } from './job-indexes.ts'

/** The most pods that one reconcile creates or deletes. */
const BURST = 500

export interface JobPlan {
  readonly status: JobStatus
  /** The pods to create: the index of each, undefined for a job without indexes. */
  readonly create: readonly (number | undefined)[]
  readonly remove: readonly Pod[]
  /** Their finalizer is removed after the status is written. */
  readonly release: readonly Pod[]
  readonly events: readonly JobEvent[]
  /** The ttlSecondsAfterFinished of the job has passed. */
  readonly expired?: true
  readonly requeueAfterMs?: number
}

export interface JobEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** How a job ends, or is about to. */
interface End {
  readonly type: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

/** `pods` are all pods of the job, also those that have ended or are being deleted. */
export function planJob(job: Job, pods: readonly Pod[], now: number): JobPlan {
  const { spec = {}, status = {} } = job
  const finished = finishedCondition(status)
  if (finished) return planFinished(job, pods, finished, now)
  if (job.metadata.deletionTimestamp !== undefined) return { ...NOTHING, status, release: pods.filter(isReleasable) }
  const suspended = spec.suspend === true
  const active = pods.filter((pod) => !isOver(pod))
  const known = announcedEnd(status)
  const count = countPods(status, pods, suspended || known !== undefined)
  const indexes = completedIndexes(job, pods)
  const startTime = suspended ? undefined : (status.startTime ?? rfc3339(now))
  const end = known ?? findEnd(job, { ...count, succeeded: indexes?.size ?? count.succeeded }, active, startTime, now)
  const resumed = !suspended && isTrue(status, 'Suspended')
  const change = end || suspended ? { create: [], remove: active } : resize(job, pods, active, count, indexes, now)
  const isQuiet = active.length === 0 && count.uncounted.succeeded.length + count.uncounted.failed.length === 0
  const isDone = end !== undefined && isQuiet && pods.every((pod) => pod.metadata.deletionTimestamp === undefined)
  const next = statusOf(job, pods, { count, indexes, startTime, end, isDone }, now)
  return {
    status: next,
    create: change.create,
    remove: change.remove.slice(0, BURST),
    release: count.release,
    events: eventsOf(suspended && !isTrue(status, 'Suspended'), resumed, end && isDone ? end : undefined),
    ...requeue([change.at, end ? undefined : deadline(job, startTime), isDone ? expiry(job, next) : undefined], now),
  }
}

function isReleasable(pod: Pod): boolean {
  return isTracked(pod) && isOver(pod)
}

const NOTHING = { create: [], remove: [], release: [], events: [] } as const

function planFinished(job: Job, pods: readonly Pod[], { status }: { status: JobStatus }, now: number): JobPlan {
  const at = expiry(job, status)
  const plan = { ...NOTHING, status, release: pods.filter(isReleasable), remove: pods.filter((pod) => !isOver(pod)) }
  if (at !== undefined && at <= now) return { ...plan, expired: true }
  return { ...plan, ...requeue([at], now) }
}

function finishedCondition(status: JobStatus): { status: JobStatus } | undefined {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed') ? { status } : undefined
}

/** An end that was decided while pods were still to be counted or deleted; the decision stays. */
function announcedEnd({ conditions = [] }: JobStatus): End | undefined {
  const found = conditions.find(({ type, status }) => status === 'True' && ANNOUNCED[type] !== undefined)
  const type = found && ANNOUNCED[found.type]
  return type && { type, reason: found.reason ?? '', message: found.message ?? '' }
}

const ANNOUNCED: Readonly<Record<string, End['type']>> = { SuccessCriteriaMet: 'Complete', FailureTarget: 'Failed' }

function findEnd(
  { spec = {} }: Job,
  { succeeded, failed }: Pick<JobCount, 'succeeded' | 'failed'>,
  active: readonly Pod[],
  startTime: string | undefined,
  now: number,
): End | undefined {
  const { completions, backoffLimit = 6, activeDeadlineSeconds } = spec
  const restarts = spec.template?.spec?.restartPolicy === 'OnFailure' ? restartsOf(active) : 0
  const tooMany = failed > backoffLimit || (restarts > 0 && restarts >= backoffLimit)
  if (tooMany) return failedBy('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  const begun = parseRfc3339(startTime ?? '')
  if (begun !== undefined && activeDeadlineSeconds !== undefined && now - begun >= Number(activeDeadlineSeconds) * 1000)
    return failedBy('DeadlineExceeded', 'Job was active longer than specified deadline')
  // Without `completions`, the first success means that the work is done, and the other pods may finish.
  const isComplete = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions
  if (!isComplete) return undefined
  return { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
}

function failedBy(reason: string, message: string): End {
  return { type: 'Failed', reason, message }
}

function restartsOf(pods: readonly Pod[]): number {
  const all = pods.flatMap(({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ])
  return all.reduce((sum, { restartCount }) => sum + restartCount, 0)
}

interface Resize {
  readonly create: readonly (number | undefined)[]
  readonly remove: readonly Pod[]
  /** When pods may be created again after failures. */
  readonly at?: number
}

function resize(
  { spec = {} }: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  { succeeded }: JobCount,
  indexes: ReadonlySet<number> | undefined,
  now: number,
): Resize {
  const { parallelism = 1, completions } = spec
  const left = completions === undefined ? undefined : completions - (indexes?.size ?? succeeded)
  const limit = left === undefined ? (succeeded > 0 ? active.length : parallelism) : left
  const wanted = Math.max(0, Math.min(parallelism, limit))
  const surplus = active.length - wanted
  if (surplus > 0) return { create: [], remove: active.toSorted(firstToGo).slice(0, surplus) }
  if (surplus === 0) return { create: [], remove: [] }
  const at = retryAt(pods)
  if (at !== undefined && at > now) return { create: [], remove: [], at }
  const count = Math.min(-surplus, BURST)
  if (!indexes) return { create: Array.from({ length: count }, () => undefined), remove: [] }
  return { create: missingIndexes(completions ?? 0, indexes, active).slice(0, count), remove: [] }
}

function missingIndexes(completions: number, done: ReadonlySet<number>, active: readonly Pod[]): number[] {
  const busy = new Set(active.map(indexOf))
  const missing: number[] = []
  for (let index = 0; index < completions && missing.length < BURST; index++) {
    if (!done.has(index) && !busy.has(index)) missing.push(index)
  }
  return missing
}

/** Undefined for a job without indexes. */
function completedIndexes({ spec, status }: Job, pods: readonly Pod[]): Set<number> | undefined {
  if (spec?.completionMode !== 'Indexed') return undefined
  const done = parseIndexes(status?.completedIndexes)
  for (const pod of pods.filter(hasSucceeded)) {
    const index = indexOf(pod)
    if (index !== undefined && index < (spec.completions ?? 0)) done.add(index)
  }
  return done
}

interface Decided {
  readonly count: JobCount
  readonly indexes: ReadonlySet<number> | undefined
  readonly startTime: string | undefined
  readonly end: End | undefined
  readonly isDone: boolean
}

function statusOf(job: Job, pods: readonly Pod[], decided: Decided, now: number): JobStatus {
  const { count, indexes, startTime, end, isDone } = decided
  const { succeeded, failed } = count.uncounted
  const running = pods.filter((pod) => !isOver(pod))
  const terminating = pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !hasSucceeded(pod))
  const counts = {
    active: running.length,
    ready: running.filter(isReady).length,
    terminating: terminating.length,
    succeeded: indexes?.size ?? count.counted.succeeded,
    failed: count.counted.failed,
  }
  const conditions = nextConditions(job, end, isDone, now)
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([name, value]) => value > 0 || ALWAYS.has(name))),
    ...(indexes && indexes.size > 0 && { completedIndexes: formatIndexes(indexes) }),
    ...(startTime !== undefined && { startTime }),
    ...(isDone && end?.type === 'Complete' && { completionTime: rfc3339(now) }),
    uncountedTerminatedPods: {
      ...(succeeded.length > 0 && { succeeded: [...succeeded] }),
      ...(failed.length > 0 && { failed: [...failed] }),
    },
    ...(conditions.length > 0 && { conditions }),
  }
}

/** Also written when they are zero, as Kubernetes does. */
const ALWAYS = new Set(['ready', 'terminating'])

function nextConditions({ spec, status }: Job, end: End | undefined, isDone: boolean, now: number) {
  let conditions = status?.conditions ?? []
  const set = (type: string, value: 'True' | 'False', reason: string, message: string) => {
    conditions = withCondition(conditions, { type, status: value, reason, message }, now)
  }
  if (spec?.suspend === true && !end) set('Suspended', 'True', 'JobSuspended', 'Job suspended')
  else if (isTrue(status ?? {}, 'Suspended')) set('Suspended', 'False', 'JobResumed', 'Job resumed')
  if (!end) return conditions
  set(end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', 'True', end.reason, end.message)
  if (isDone) set(end.type, 'True', end.reason, end.message)
  return conditions
}

function withCondition(
  conditions: readonly WorkloadCondition[],
  next: WorkloadCondition,
  now: number,
): WorkloadCondition[] {
  const old = conditions.find(({ type }) => type === next.type)
  if (old?.status === next.status) return [...conditions]
  const time = rfc3339(now)
  const made = { ...next, lastProbeTime: time, lastTransitionTime: time }
  return old ? conditions.map((one) => (one === old ? made : one)) : [...conditions, made]
}

function isTrue({ conditions = [] }: JobStatus, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True')
}

function deadline({ spec }: Job, startTime: string | undefined): number | undefined {
  const begun = parseRfc3339(startTime ?? '')
  const seconds = spec?.activeDeadlineSeconds
  return begun === undefined || seconds === undefined ? undefined : begun + Number(seconds) * 1000
}

/** When a finished job is due for deletion. */
function expiry({ spec }: Job, { conditions = [] }: JobStatus): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished
  const end = conditions.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')
  const time = parseRfc3339(end?.lastTransitionTime ?? '')
  return seconds === undefined || time === undefined ? undefined : time + seconds * 1000
}

function requeue(times: readonly (number | undefined)[], now: number): { requeueAfterMs?: number } {
  const due = times.filter((time) => time !== undefined)
  return due.length === 0 ? {} : { requeueAfterMs: Math.max(1, Math.min(...due) - now) }
}

function eventsOf(suspended: boolean, resumed: boolean, end: End | undefined): JobEvent[] {
  return [
    ...(suspended ? [{ type: 'Normal' as const, reason: 'Suspended', message: 'Job suspended' }] : []),
    ...(resumed ? [{ type: 'Normal' as const, reason: 'Resumed', message: 'Job resumed' }] : []),
    ...(end?.type === 'Complete' ? [{ type: 'Normal' as const, reason: 'Completed', message: 'Job completed' }] : []),
    ...(end?.type === 'Failed' ? [{ type: 'Warning' as const, reason: end.reason, message: end.message }] : []),
  ]
}
