// The conditions of a parent about its children: one per child, or one per kind with many children, and Ready for all.
// Pure.

import { isForeign } from '../runtime/owner-scope.ts'
import type { ConditionInput, ObjectRef } from '../runtime/reconcile-context.ts'
import type { Readiness } from './readiness.ts'

export interface ChildState {
  readonly ref: ObjectRef
  readonly readiness: Readiness
}

interface Place {
  readonly name: string
  readonly namespace?: string | undefined
}

/** Children of a kind share one condition beyond this number, to keep the status small. */
const MANY = 16
const MAX_MESSAGE = 1024

/** `Deployment` for a child with the parent's name, `Deployment-cache` for others. */
export function conditionTypes(parent: Place, refs: readonly ObjectRef[]): ReadonlyMap<ObjectRef, string> {
  const types = new Map<ObjectRef, string>()
  for (const [kind, some] of groupBy(refs, (ref) => ref.kind)) {
    const groups = new Set(some.map((ref) => groupOf(ref)))
    for (const ref of some) {
      const base = groups.size > 1 && groupOf(ref) !== '' ? `${kind}.${groupOf(ref)}` : kind
      types.set(ref, some.length > MANY ? base : base + suffix(parent, ref))
    }
  }
  return types
}

export function childConditions(parent: Place, states: readonly ChildState[]): ReadonlyMap<string, ConditionInput> {
  const types = conditionTypes(
    parent,
    states.map((state) => state.ref),
  )
  const conditions = new Map<string, ConditionInput>()
  for (const [type, some] of groupBy(states, (state) => types.get(state.ref) ?? state.ref.kind)) {
    conditions.set(type, summary(some))
  }
  return conditions
}

/** Undefined without children: Ready then depends only on the outcome of the reconcile. */
export function readyCondition(states: readonly ChildState[]): ConditionInput | undefined {
  return states.length === 0 ? undefined : summary(states, true)
}

function summary(states: readonly ChildState[], named = states.length > 1): ConditionInput {
  const missing = states.filter(({ readiness }) => !readiness.ready)
  const [first] = missing
  if (!first) {
    const message = states.length === 1 ? '' : `all ${states.length} are ready`
    return { status: 'True', reason: 'Ready', message }
  }
  const texts = missing.map(({ ref, readiness: { reason, message } }) => {
    const text = message || reason
    return named ? `${ref.kind} ${ref.name}: ${text}` : text
  })
  return { status: 'False', reason: first.readiness.reason, message: cut(texts) }
}

function cut(texts: readonly string[]): string {
  let text = ''
  for (const [at, one] of texts.entries()) {
    const next = at === 0 ? one : `${text}; ${one}`
    if (next.length > MAX_MESSAGE - 30) {
      return at === 0 ? `${one.slice(0, MAX_MESSAGE - 1)}\u2026` : `${text}; and ${texts.length - at} more`
    }
    text = next
  }
  return text
}

function suffix(parent: Place, ref: ObjectRef): string {
  const elsewhere = ref.namespace !== undefined && isForeign({ namespace: parent.namespace ?? '' }, ref)
  if (elsewhere && parent.namespace !== undefined) return `-${ref.namespace}.${ref.name}`
  return ref.name === parent.name ? '' : `-${ref.name}`
}

function groupOf({ apiVersion }: ObjectRef): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, keyOf)
}
