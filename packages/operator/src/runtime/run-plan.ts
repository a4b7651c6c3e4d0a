// Decides what to do about an object. Pure.

import type { ApiObject } from '@homeostat/client'
import { ABANDON, isPaused } from './change-worth.ts'

/**
 * `adopt`: add the finalizer if the object needs cleanup, in place of those of earlier versions, then reconcile.
 * `abandon`: remove the finalizer without cleanup. `release`: the same, because this version of the operator has no
 * cleanup. `rest`: nothing.
 */
export type RunPlan = 'reconcile' | 'adopt' | 'cleanup' | 'abandon' | 'release' | 'pause' | 'rest'

export interface RunPlanInput {
  readonly object: ApiObject
  /** The object has a finalizer of this operator. */
  readonly held: boolean
  /** The finalizer is missing or has a former name. */
  readonly due: boolean
  readonly cleans: boolean
  /** The last reconcile of this object was terminal. */
  readonly terminal: boolean
}

export function planRun({ object, held, due, cleans, terminal }: RunPlanInput): RunPlan {
  const { deletionTimestamp, annotations } = object.metadata
  const deleting = deletionTimestamp !== undefined
  if (deleting && held && annotations?.[ABANDON] === 'true') return 'abandon'
  if (isPaused(object)) return 'pause'
  if (deleting && held) return cleans ? 'cleanup' : 'release'
  if (deleting && cleans) return 'rest'
  if (terminal) return 'rest'
  return cleans && due ? 'adopt' : 'reconcile'
}
