// Says in the conditions of a parent what its children are like.

import type { Condition } from '@homeostat/meta'
import { refKey } from '../resources/inventory.ts'
import type { ObjectRef, Run } from '../runtime/run.ts'
import { type ChildState, childConditions, conditionTypes, readyCondition } from './child-conditions.ts'
import type { Parent } from './ownership.ts'
import { READY } from './readiness.ts'

export interface ChildReport {
  readonly states: readonly ChildState[]
  /** The children of the run before. */
  readonly before: readonly ObjectRef[]
  /** The condition Ready as it was when the run began. */
  readonly ready: Condition | undefined
}

/** What was claimed and not applied as a child is a Secret, which is ready when it is there. */
export function secretStates(claimed: readonly ObjectRef[], settled: readonly ChildState[]): ChildState[] {
  const known = new Set(settled.map(({ ref }) => refKey(ref)))
  return claimed.filter((ref) => !known.has(refKey(ref))).map((ref) => ({ ref, readiness: READY }))
}

export function reportChildren(run: Run, parent: Parent, { states, before, ready }: ChildReport): void {
  const conditions = childConditions(parent, states)
  for (const type of new Set(conditionTypes(parent, before).values())) {
    if (!conditions.has(type)) run.conditions.remove(type)
  }
  for (const [type, condition] of conditions) void run.conditions.set(type, condition)
  const said = run.conditions.get('Ready')
  // What the author's function said of Ready counts.
  if (said !== ready) return
  const next = readyCondition(states)
  if (next) void run.conditions.set('Ready', next)
}
