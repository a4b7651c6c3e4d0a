// What is done about an object, as a pure decision.

import type { ApiObject } from '@homeostat/client'
import { ABANDON, isPaused } from './change-worth.ts'

/**
 * `adopt`: put the finalizer on if the object needs cleanup, in place of those of earlier versions, then reconcile. `abandon`: take the finalizer off without
 * cleanup. `release`: the same because this version of the operator has none. `rest`: nothing.
 */
export type RunPlan = 'reconcile' | 'adopt' | 'cleanup' | 'abandon' | 'release' | 'pause' | 'rest'

export interface RunPlanInput {
  readonly object: ApiObject
  /** It has a finalizer of this operator. */
  readonly held: boolean
  /** Its finalizer is not there, or not as it is today. */
  readonly due: boolean
  readonly cleans: boolean
  /** It ended for good as the object stands. */
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
