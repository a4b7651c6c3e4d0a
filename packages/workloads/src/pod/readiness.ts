// Applies the thresholds of a readiness probe: a number of successes in a row makes a container ready, a number of failures
// in a row unready. Pure.

import type { Probe } from '../kinds.ts'

export interface Readiness {
  /** The probed unit; a restarted container starts over. */
  readonly unit: string
  readonly ready: boolean
  /** Results in a row that contradict `ready`. */
  readonly against: number
  readonly dueAt: number
}

export function nextReadiness(
  before: Readiness | undefined,
  unit: string,
  success: boolean,
  probe: Probe,
  now: number,
): Readiness {
  const old = before?.unit === unit ? before : undefined
  const dueAt = now + (probe.periodSeconds ?? 10) * 1000
  const ready = old?.ready ?? false
  if (success === ready) return { unit, ready, against: 0, dueAt }
  const against = (old?.against ?? 0) + 1
  const needed = (success ? probe.successThreshold : probe.failureThreshold) ?? (success ? 1 : 3)
  return against >= needed ? { unit, ready: success, against: 0, dueAt } : { unit, ready, against, dueAt }
}

/** When the first probe of a container is due. */
export function firstProbeAt(probe: Probe, startedAt: number): number {
  return startedAt + (probe.initialDelaySeconds ?? 0) * 1000
}
