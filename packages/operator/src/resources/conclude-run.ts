// Ends a reconcile whose author's code returned: sets Ready from the parts, fails when a part failed, and prunes
// objects whose handles the code no longer requests.

import type { ApiObject } from '@homeostat/client'
import type { ObjectRef, Outcome, ReconcileContext } from '../runtime/reconcile-context.ts'
import type { Instance } from './instance.ts'
import { INVENTORY, readInventory, unwanted, writeInventory } from './inventory.ts'
import type { RunScope } from './run-scope.ts'
import { outOfScope } from './scope.ts'
import { aggregateReady, subresourceOutcome } from './subresources.ts'

export async function concludeRun(
  instance: Instance,
  scope: RunScope,
  run: ReconcileContext,
  outcome: Outcome,
): Promise<Outcome> {
  const parts = [...scope.subresources.values()]
  const allReady = parts.every((part) => part.result.ready)
  if (parts.length > 0 && !scope.conditions.has('Ready')) await run.conditions.set('Ready', aggregateReady(parts))
  const problem = subresourceOutcome(parts)
  if (problem) throw problem
  if (allReady && !run.object.metadata.deletionTimestamp) await prune(instance, scope, run)
  else keepInventory(instance, scope, run)
  return outcome
}

/** A reconcile that did not complete removes nothing from the inventory. */
export function keepInventory(instance: Instance, scope: RunScope, run: ReconcileContext): void {
  const recorded = recordedBy(run)
  record(run, recorded, [...recorded, ...wantedBy(instance, scope)])
}

async function prune(instance: Instance, scope: RunScope, run: ReconcileContext): Promise<void> {
  const recorded = recordedBy(run)
  const wanted = wantedBy(instance, scope)
  for (const ref of unwanted(recorded, wanted)) {
    const object = await outOfScope(() => instance.services.cluster.read(ref, run.signal))
    if (object && isOwnedBy(object, instance.uid)) await run.remove(ref, { uid: object.metadata.uid ?? '' })
  }
  record(run, recorded, wanted)
}

function record(run: ReconcileContext, before: readonly ObjectRef[], after: readonly ObjectRef[]): void {
  if (before.length === 0 && after.length === 0) return
  run.patchStatus({ [INVENTORY]: after.length > 0 ? writeInventory(after) : undefined })
}

function recordedBy(run: ReconcileContext): ObjectRef[] {
  return readInventory((run.object as { status?: unknown }).status)
}

function wantedBy(instance: Instance, scope: RunScope): ObjectRef[] {
  return [...instance.owned.values(), ...scope.owned.values()]
}

/** An object of the same name with another owner is left alone. */
function isOwnedBy(object: ApiObject, uid: string): boolean {
  return object.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false
}
