// Computes the status of a deployment: counts of pods, and the conditions Available and Progressing. Pure; reasons and
// messages are those of Kubernetes, which kubectl and other programs compare.

import { parseRfc3339, rfc3339 } from '@homeostat/meta'
import type { Deployment, DeploymentStatus, ReplicaSet, WorkloadCondition } from '../kinds.ts'
import type { RolloutBounds } from './rollout-bounds.ts'
import { type SizeDraft, total } from './rollout-sizes.ts'

/** A deadline that counts as none. */
const NO_DEADLINE = 2 ** 31 - 1

export function hasDeadline({ spec }: Deployment): boolean {
  const deadline = spec?.progressDeadlineSeconds
  return deadline !== undefined && deadline !== null && deadline !== NO_DEADLINE
}

/** The same status and reason change nothing, not even the message or the times. */
export function withCondition(
  conditions: readonly WorkloadCondition[],
  next: WorkloadCondition,
  now: number,
): WorkloadCondition[] {
  const old = conditions.find(({ type }) => type === next.type)
  if (old && old.status === next.status && old.reason === next.reason) return [...conditions]
  const at = rfc3339(now)
  const moved = old?.status === next.status ? (old.lastTransitionTime ?? at) : at
  const made = { ...next, lastUpdateTime: at, lastTransitionTime: moved }
  return [...conditions.filter(({ type }) => type !== next.type), made]
}

export function progressing(status: WorkloadCondition['status'], reason: string, message: string): WorkloadCondition {
  return { type: 'Progressing', status, reason, message }
}

/** A pause stops the progress deadline; resuming starts it again. */
export function withPause(
  deployment: Deployment,
  conditions: readonly WorkloadCondition[],
  now: number,
): WorkloadCondition[] {
  const reason = conditions.find(({ type }) => type === 'Progressing')?.reason
  if (!hasDeadline(deployment) || reason === 'ProgressDeadlineExceeded') return [...conditions]
  const paused = deployment.spec?.paused === true
  if (paused && reason !== 'DeploymentPaused') {
    return withCondition(conditions, progressing('Unknown', 'DeploymentPaused', 'Deployment is paused'), now)
  }
  if (!paused && reason === 'DeploymentPaused') {
    return withCondition(conditions, progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed'), now)
  }
  return [...conditions]
}

/** The counts, and whether enough pods are available. */
export function deploymentStatus(
  deployment: Deployment,
  drafts: readonly SizeDraft[],
  current: ReplicaSet | undefined,
  bounds: RolloutBounds,
  conditions: readonly WorkloadCondition[],
  now: number,
): DeploymentStatus {
  const sum = (field: 'replicas' | 'readyReplicas' | 'availableReplicas') =>
    drafts.reduce((all, { set }) => all + (set.status?.[field] ?? 0), 0)
  const available = sum('availableReplicas')
  const counts = {
    replicas: sum('replicas'),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, total(drafts) - available),
  }
  const enough = available >= bounds.replicas - bounds.maxUnavailable
  const condition: WorkloadCondition = enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
  const { collisionCount } = deployment.status ?? {}
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    // Counts of none are left out, as Kubernetes does.
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: withCondition(conditions, condition, now),
  }
}

/** The condition of the rollout, from how the counts moved since the last status. */
export function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  current: ReplicaSet | undefined,
  now: number,
): WorkloadCondition[] {
  const conditions = status.conditions ?? []
  if (!hasDeadline(deployment)) return conditions.filter(({ type }) => type !== 'Progressing')
  const before = deployment.status?.conditions?.find(({ type }) => type === 'Progressing')
  const { replicas = 0, updatedReplicas = 0 } = status
  if (replicas === updatedReplicas && before?.reason === 'NewReplicaSetAvailable') return conditions
  const subject = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`
    return withCondition(conditions, progressing('True', 'NewReplicaSetAvailable', message), now)
  }
  if (isMoving(deployment.status ?? {}, status)) {
    const next = progressing('True', 'ReplicaSetUpdated', `${subject} is progressing.`)
    const at = rfc3339(now)
    // Its time changes with every step, since the deadline counts from the last one.
    const moved = before?.status === 'True' ? (before.lastTransitionTime ?? at) : at
    const others = conditions.filter(({ type }) => type !== 'Progressing')
    return [...others, { ...next, lastUpdateTime: at, lastTransitionTime: moved }]
  }
  if (isOverdue(deployment, conditions, now)) {
    const message = `${subject} has timed out progressing.`
    return withCondition(conditions, progressing('False', 'ProgressDeadlineExceeded', message), now)
  }
  return conditions
}

export function isComplete({ spec, metadata }: Deployment, status: DeploymentStatus): boolean {
  const replicas = spec?.replicas ?? 1
  const { updatedReplicas = 0, replicas: all = 0, availableReplicas = 0, observedGeneration = 0 } = status
  const counts = [updatedReplicas, all, availableReplicas]
  return counts.every((count) => count === replicas) && observedGeneration >= (metadata.generation ?? 0)
}

function isMoving(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas
  return (
    (now.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(now) < old(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  )
}

function isOverdue(deployment: Deployment, conditions: readonly WorkloadCondition[], now: number): boolean {
  const due = deadlineAt(deployment, conditions)
  return due !== undefined && due < now
}

/** When the rollout misses its deadline; undefined when none is running, or it has missed it already. */
export function deadlineAt(deployment: Deployment, conditions: readonly WorkloadCondition[]): number | undefined {
  const condition = conditions.find(({ type }) => type === 'Progressing')
  if (!condition || !hasDeadline(deployment)) return undefined
  if (['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'].includes(condition.reason ?? '')) return undefined
  const since = parseRfc3339(condition.lastUpdateTime ?? '')
  return since === undefined ? undefined : since + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000
}

/** The ReplicaFailure condition of its replica sets, the current one first. */
export function withReplicaFailure(
  conditions: readonly WorkloadCondition[],
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  now: number,
): WorkloadCondition[] {
  const failures = [current, ...sets].flatMap(
    (set) => set?.status?.conditions?.filter(({ type }) => type === 'ReplicaFailure') ?? [],
  )
  const [failure] = failures
  if (!failure) return conditions.filter(({ type }) => type !== 'ReplicaFailure')
  const { type, status, reason, message } = failure
  return withCondition(conditions, { type, status, ...(reason && { reason }), ...(message && { message }) }, now)
}
