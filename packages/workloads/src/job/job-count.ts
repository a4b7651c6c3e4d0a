// Counts each pod of a job that has ended exactly once, even if pods are deleted meanwhile. A pod keeps a finalizer until
// its end is in the job's status: first its uid is written there, then the finalizer is removed, then the uid is counted. Pure.

import type { JobStatus, Pod } from '../kinds.ts'

export const TRACKING = 'batch.kubernetes.io/job-tracking'

export interface JobCount {
  /** Includes pods whose finalizer is not removed yet. */
  readonly succeeded: number
  readonly failed: number
  readonly counted: { readonly succeeded: number; readonly failed: number }
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  /** Pods that have ended; their finalizer is removed once the status with their uids is written. */
  readonly release: readonly Pod[]
}

/** With `dropped`, deleted pods do not count as failed: the job is suspended or finished. */
export function countPods(status: JobStatus, pods: readonly Pod[], dropped: boolean): JobCount {
  const tracked = new Map(pods.filter(isTracked).map((pod) => [pod.metadata.uid ?? '', pod]))
  const known = status.uncountedTerminatedPods ?? {}
  const settle = (uids: readonly string[] = []) => ({
    over: uids.filter((uid) => !tracked.has(uid)).length,
    left: uids.filter((uid) => tracked.has(uid)),
  })
  const succeeded = settle(known.succeeded)
  const failed = settle(known.failed)
  const seen = new Set([...succeeded.left, ...failed.left])
  const release: Pod[] = []
  for (const [uid, pod] of tracked) {
    if (!isOver(pod)) continue
    release.push(pod)
    if (seen.has(uid)) continue
    if (hasSucceeded(pod)) succeeded.left.push(uid)
    else if (!dropped || pod.status?.phase === 'Failed') failed.left.push(uid)
  }
  const counted = {
    succeeded: (status.succeeded ?? 0) + succeeded.over,
    failed: (status.failed ?? 0) + failed.over,
  }
  return {
    succeeded: counted.succeeded + succeeded.left.length,
    failed: counted.failed + failed.left.length,
    counted,
    uncounted: { succeeded: succeeded.left, failed: failed.left },
    release,
  }
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) ?? false
}

export function hasSucceeded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded'
}

/** A pod that is being deleted is over too: it will not succeed any more. */
export function isOver({ metadata, status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' || metadata.deletionTimestamp !== undefined
}
