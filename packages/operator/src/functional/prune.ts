// Removes what earlier runs made and this one does not want, as far as it is ours and the guard allows it.

import { isForeign } from '../runtime/owner-scope.ts'
import type { ObjectRef } from '../runtime/run.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { isOwnedBy, type Parent } from './ownership.ts'
import { ALLOW_PRUNE, type PruneGuard, planPrune } from './prune-plan.ts'

export const PRUNE_BLOCKED = 'PruneBlocked'

/** Answers what is still on record: what could not go. */
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
    // A child that finalizers hold belongs to its parent until it is gone.
    if (!(await removeOwn(run, parent, ref))) left.push(ref)
  }
  return left
}

/** Removes the children that do not go with their parent by themselves. */
export async function removeForeign(
  run: Pick<RunContext, 'target'>,
  parent: Parent,
  recorded: readonly ObjectRef[],
): Promise<void> {
  for (const ref of recorded.toReversed()) if (isForeign(parent, ref)) await removeOwn(run, parent, ref)
}

/** Answers false while the child stays. What somebody else made under the name meanwhile is theirs. */
async function removeOwn(run: Pick<RunContext, 'target'>, parent: Parent, ref: ObjectRef): Promise<boolean> {
  const target = await run.target(ref)
  const live = await target?.read()
  if (target === undefined || live === undefined || !isOwnedBy(live, parent)) return true
  return target.remove(live)
}
