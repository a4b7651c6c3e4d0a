// Conditions of a status, as metav1.Condition has them. Controllers call this; it never reads a clock.

import { rfc3339 } from '../time/rfc3339.ts'

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime: string
  observedGeneration?: number
}

/**
 * The conditions with `next` in place. The transition time moves only when the status does; the given array
 * itself is returned when nothing changed, so that a reconcile without changes writes nothing.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  next: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): Condition[] {
  const all = (conditions ?? []) as Condition[]
  const index = all.findIndex((condition) => condition.type === next.type)
  const old = all[index]
  if (!old) return [...all, { ...next, lastTransitionTime: rfc3339(now) }]
  if (
    old.status === next.status &&
    old.reason === next.reason &&
    old.message === next.message &&
    old.observedGeneration === next.observedGeneration
  ) {
    return all
  }
  const lastTransitionTime = old.status === next.status ? old.lastTransitionTime : rfc3339(now)
  return all.with(index, { ...next, lastTransitionTime })
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}
