// Computes maxSurge and maxUnavailable of a rollout as numbers. Pure. Surge is rounded up and unavailability down; if both
// are zero, one pod may be unavailable, or the rollout could never progress.

import type { Deployment } from '../kinds.ts'

export interface RolloutBounds {
  readonly replicas: number
  readonly maxSurge: number
  readonly maxUnavailable: number
}

export function rolloutBounds({ spec = {} }: Pick<Deployment, 'spec'>): RolloutBounds {
  const replicas = spec.replicas ?? 1
  if (isRecreate({ spec })) return { replicas, maxSurge: 0, maxUnavailable: 0 }
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {}
  const surge = amount(maxSurge, replicas, Math.ceil)
  const missing = amount(maxUnavailable, replicas, Math.floor)
  const least = surge === 0 && missing === 0 ? 1 : missing
  return { replicas, maxSurge: surge, maxUnavailable: Math.min(least, replicas) }
}

export function isRecreate({ spec }: Pick<Deployment, 'spec'>): boolean {
  return spec?.strategy?.type === 'Recreate'
}

function amount(value: number | string, of: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(value)
  // Multiplied first: 0.07 * 100 is not 7.
  return percent ? round((Number(percent[1]) * of) / 100) : 0
}
