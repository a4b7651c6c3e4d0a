// Removes what earlier runs made and this one does not want, as far as it is ours and the guard allows it.

import type { ObjectRef, Run } from '../runtime/run.ts'
import { isOurs, type Parent } from './ownership.ts'
import { ALLOW_PRUNE, type PruneGuard, planPrune } from './prune-plan.ts'

export const PRUNE_BLOCKED = 'PruneBlocked'

/** Answers what is still on record: what could not go. */
export async function prune(
  run: Pick<Run, 'object' | 'read' | 'remove' | 'conditions' | 'event'>,
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
    const object = await run.read(ref)
    // What somebody else made under the name meanwhile is theirs.
    if (!object || !isOurs(parent, object)) continue
    await run.remove(ref, { uid: object.metadata.uid ?? '' })
    // It may stay for its finalizers; it is ours until it is gone.
    if (await run.read(ref)) left.push(ref)
  }
  return left
}
