// Decides which children to prune and whether the guard allows so many at once. Pure.

import { refKey, unwanted } from '../resources/inventory.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'

export interface PruneGuard {
  /** This many may always be pruned. Default 10. */
  readonly above?: number
  /** More than that only up to this share of the recorded children. Default 0.5. */
  readonly share?: number
}

/** Annotation on the parent that overrides the guard. */
export const ALLOW_PRUNE = 'homeostat.dev/allow-prune'

export interface PrunePlan {
  /** In the reverse order of the inventory. */
  readonly remove: readonly ObjectRef[]
  /** Why the guard blocks the prune. */
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
