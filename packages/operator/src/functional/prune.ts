// Deletes children that earlier reconciles created and this one does not want, if the parent owns them and the guard
// allows it.

import { isForeign } from '../runtime/owner-scope.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { isOwnedBy, type Parent } from './ownership.ts'
import { ALLOW_PRUNE, type PruneGuard, planPrune } from './prune-plan.ts'

export const PRUNE_BLOCKED = 'PruneBlocked'

/** Returns the children that stay in the inventory because they could not be deleted yet. */
export async function prune(
  run: Pick<RunContext, 'object' | 'target' | 'conditions' | 'event'>,
  parent: Parent,
  recorded: readonly ObjectRef[],
  wanted: readonly ObjectRef[],
  guard: PruneGuard | false,
): Promise<readonly ObjectRef[]> {
  const allowed = run.object.metadata.annotations?.[ALLOW_PRUNE] === 'true'
  const { remove, blocked } = planPrune(recorded, wanted, guard, allowed)
  if (blocked !== undefined) {
    if (run.conditions.get(PRUNE_BLOCKED)?.message !== blocked) {
      run.event({ type: 'Warning', reason: PRUNE_BLOCKED, message: blocked, action: 'Prune' })
    }
    await run.conditions.set(PRUNE_BLOCKED, { status: 'True', reason: 'TooMany', message: blocked })
    return recorded
  }
  if (run.conditions.get(PRUNE_BLOCKED)) run.conditions.remove(PRUNE_BLOCKED)
  const left: ObjectRef[] = []
  for (const ref of remove) {
    // A child that finalizers hold stays in the inventory until it is gone.
    if (!(await removeOwn(run, parent, ref))) left.push(ref)
  }
  return left
}

/** Deletes the children that garbage collection does not delete with the parent. */
export async function removeForeign(
  run: Pick<RunContext, 'target'>,
  parent: Parent,
  recorded: readonly ObjectRef[],
): Promise<void> {
  for (const ref of recorded.toReversed()) if (isForeign(parent, ref)) await removeOwn(run, parent, ref)
}

/** Returns false while finalizers hold the child. An object of the same name with another owner is left alone. */
async function removeOwn(run: Pick<RunContext, 'target'>, parent: Parent, ref: ObjectRef): Promise<boolean> {
  const target = await run.target(ref)
  const live = await target?.read()
  if (target === undefined || live === undefined || !isOwnedBy(live, parent)) return true
  return target.remove(live)
}
