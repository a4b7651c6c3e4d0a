// The annotations that a deployment writes to its replica sets: their revision in its history, and its wanted size at the
// last scaling. kubectl reads them for `rollout history` and `rollout undo`. Pure.

import type { Deployment, ReplicaSet } from '../kinds.ts'
import type { RolloutBounds } from './rollout-bounds.ts'

export const REVISION = 'deployment.kubernetes.io/revision'
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history'
export const DESIRED = 'deployment.kubernetes.io/desired-replicas'
export const MAX = 'deployment.kubernetes.io/max-replicas'

/** Annotations of the deployment alone; all others are copied to its replica sets. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED,
  MAX,
  'deprecated.deployment.rollback.to',
])
const LONGEST_HISTORY = 2000
/** The most replicas plus the largest surge. A larger number in an annotation was not written by this controller. */
const MOST_PODS = 2 * (2 ** 31 - 1)

export function revisionOf({ metadata }: Pick<ReplicaSet, 'metadata'>): number {
  const revision = Number(metadata.annotations?.[REVISION] ?? 0)
  // A revision that cannot be incremented counts as none: the next would be the same number.
  return Number.isSafeInteger(revision) && revision < Number.MAX_SAFE_INTEGER ? revision : 0
}

export function newestRevision(sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.map(revisionOf))
}

/** The annotations of the replica set with the current template; its revision never decreases. */
export function currentAnnotations(
  deployment: Deployment,
  existing: ReplicaSet | undefined,
  revision: number,
): Record<string, string> {
  const own = { ...existing?.metadata.annotations }
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!NOT_COPIED.has(key)) own[key] = value
  }
  const before = existing ? revisionOf(existing) : 0
  if (existing && before >= revision) return own
  if (existing && before > 0) {
    const history = [own[REVISION_HISTORY], String(before)].filter((part) => part).join(',')
    own[REVISION_HISTORY] = history.length > LONGEST_HISTORY ? history.slice(history.indexOf(',') + 1) : history
  }
  own[REVISION] = String(revision)
  return own
}

export function sizeAnnotations({ replicas, maxSurge }: RolloutBounds): Record<string, string> {
  return { [DESIRED]: String(replicas), [MAX]: String(replicas + maxSurge) }
}

/** What the deployment wanted when it last sized this one. */
export function desiredOf(set: ReplicaSet): number | undefined {
  return numberIn(set, DESIRED)
}

export function maxOf(set: ReplicaSet): number | undefined {
  return numberIn(set, MAX)
}

function numberIn({ metadata }: ReplicaSet, key: string): number | undefined {
  const value = metadata.annotations?.[key]
  const number = value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined
  return number !== undefined && number <= MOST_PODS ? number : undefined
}
