// What is done about an object, as a pure decision.

import type { ApiObject } from '@homeostat/client'
import { ABANDON, isPaused } from './change-worth.ts'
import { hasFinalizer } from './finalizer.ts'

/**
 * `adopt`: put the finalizer on if the object needs cleanup, then reconcile. `abandon`: take the finalizer off without
 * cleanup. `release`: the same because this version of the operator has none. `rest`: nothing.
 */
export type RunPlan = 'reconcile' | 'adopt' | 'cleanup' | 'abandon' | 'release' | 'pause' | 'rest'

export interface RunPlanInput {
  readonly object: ApiObject
  readonly finalizer: string
  readonly cleans: boolean
  /** It ended for good as the object stands. */
  readonly terminal: boolean
}

export function planRun({ object, finalizer, cleans, terminal }: RunPlanInput): RunPlan {
  const held = hasFinalizer(object, finalizer)
  const { deletionTimestamp, annotations } = object.metadata
  const deleting = deletionTimestamp !== undefined
  if (deleting && held && annotations?.[ABANDON] === 'true') return 'abandon'
  if (isPaused(object)) return 'pause'
  if (deleting && held) return cleans ? 'cleanup' : 'release'
  if (deleting && cleans) return 'rest'
  if (terminal) return 'rest'
  return cleans && !held ? 'adopt' : 'reconcile'
}
