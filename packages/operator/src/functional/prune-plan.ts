// Which children go because they are no longer wanted, and whether so many may go at once. Pure.

import { refKey, unwanted } from '../resources/inventory.ts'
import type { ObjectRef } from '../runtime/run.ts'

export interface PruneGuard {
  /** So many may go in any case. Default 10. */
  readonly above?: number
  /** Of those that are there, at most this share may go. Default 0.5. */
  readonly share?: number
}

/** On the parent: lets the next run prune whatever the guard says. */
export const ALLOW_PRUNE = 'homeostat.dev/allow-prune'

export interface PrunePlan {
  /** The youngest kinds of things first: the reverse of the order in which they were wanted. */
  readonly remove: readonly ObjectRef[]
  /** Why nothing is removed although something would have to be. */
  readonly blocked: string | undefined
}

export function planPrune(
  recorded: readonly ObjectRef[],
  wanted: readonly ObjectRef[],
  guard: PruneGuard | false,
  allowed: boolean,
): PrunePlan {
  const gone = unwanted(recorded, wanted).toReversed()
  if (guard === false || allowed) return { remove: gone, blocked: undefined }
  const { above = 10, share = 0.5 } = guard
  const known = new Set(recorded.map(refKey)).size
  if (gone.length <= above || gone.length <= known * share) return { remove: gone, blocked: undefined }
  const blocked =
    `${gone.length} of ${known} children are no longer wanted; that many are not removed at once. If it is meant, ` +
    `annotate the object with ${ALLOW_PRUNE}=true`
  return { remove: [], blocked }
}
