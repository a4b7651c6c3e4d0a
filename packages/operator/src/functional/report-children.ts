// Sets the conditions of a parent from the readiness of its children.

import type { Condition } from '@homeostat/meta'
import { refKey } from '../resources/inventory.ts'
import type { ObjectRef, ReconcileContext } from '../runtime/reconcile-context.ts'
import { type ChildState, childConditions, conditionTypes, readyCondition } from './child-conditions.ts'
import type { Parent } from './ownership.ts'
import { READY } from './readiness.ts'

export interface ChildReport {
  readonly states: readonly ChildState[]
  /** The children of the previous reconcile. */
  readonly before: readonly ObjectRef[]
  /** The Ready condition when the reconcile began. */
  readonly ready: Condition | undefined
}

/** Claims that were not applied as children are Secrets, which are ready when they exist. */
export function secretStates(claimed: readonly ObjectRef[], settled: readonly ChildState[]): ChildState[] {
  const known = new Set(settled.map(({ ref }) => refKey(ref)))
  return claimed.filter((ref) => !known.has(refKey(ref))).map((ref) => ({ ref, readiness: READY }))
}

export function reportChildren(run: ReconcileContext, parent: Parent, { states, before, ready }: ChildReport): void {
  const conditions = childConditions(parent, states)
  for (const type of new Set(conditionTypes(parent, before).values())) {
    if (!conditions.has(type)) run.conditions.remove(type)
  }
  for (const [type, condition] of conditions) void run.conditions.set(type, condition)
  const said = run.conditions.get('Ready')
  // The author's function set Ready itself: keep it.
  if (said !== ready) return
  const next = readyCondition(states)
  if (next) void run.conditions.set('Ready', next)
}
