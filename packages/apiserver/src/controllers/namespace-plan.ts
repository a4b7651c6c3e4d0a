// Plans the next action and the conditions of a namespace. Pure: the controller reads, asks here, and acts.

import { type Condition, type KubeObject, setCondition } from '@homeostat/meta'
import { fieldsOf, listOf } from '../builtin/fields-of.ts'
import { NAMESPACE_FINALIZER } from '../builtin/namespace.ts'

/** The remaining objects of one resource in the namespace. */
export interface Remaining {
  /** `plural.group`; in the core group it ends in the dot, as in Kubernetes. */
  readonly resource: string
  readonly count: number
  /** How many objects each finalizer holds. */
  readonly finalizers: Readonly<Record<string, number>>
}

type NamespaceAction = 'nothing' | 'empty'

/** Empties a namespace that is being deleted and still has the server's finalizer. */
export function planNamespace(namespace: KubeObject | undefined): NamespaceAction {
  if (namespace?.metadata.deletionTimestamp === undefined) return 'nothing'
  return finalizersOf(namespace).includes(NAMESPACE_FINALIZER) ? 'empty' : 'nothing'
}

/** The conditions that report the deletion. `failure` is the error of the last attempt, if any. */
export function deletionConditions(
  conditions: readonly Condition[],
  remaining: readonly Remaining[],
  failure: string | undefined,
  now: number,
): Condition[] {
  const content = remaining.map(({ resource, count }) => `${resource} has ${count} resource instances`)
  const held = Object.entries(totals(remaining)).map(([name, count]) => `${name} in ${count} resource instances`)
  const reported: Omit<Condition, 'lastTransitionTime'>[] = [
    no('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    no(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    failure === undefined
      ? no(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : yes(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, 1 remaining: ${failure}`,
        ),
    content.length === 0
      ? no('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : yes(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${content.sort().join(', ')}`,
        ),
    held.length === 0
      ? no('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : yes(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held.sort().join(', ')}`,
        ),
  ]
  return reported.reduce<Condition[]>((all, next) => setCondition(all, next, now), conditions as Condition[])
}

/** The namespace without the server's finalizer. */
export function released(namespace: KubeObject): KubeObject {
  const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== NAMESPACE_FINALIZER)
  return { ...namespace, spec: { ...fieldsOf(namespace.spec), finalizers } }
}

export function countFinalizers(objects: readonly KubeObject[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { metadata } of objects) {
    for (const finalizer of metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

function totals(remaining: readonly Remaining[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { finalizers } of remaining) {
    for (const [name, count] of Object.entries(finalizers)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return Object.fromEntries(sums)
}

function finalizersOf(namespace: KubeObject): unknown[] {
  return listOf(fieldsOf(namespace.spec).finalizers)
}

function yes(type: string, reason: string, message: string): Omit<Condition, 'lastTransitionTime'> {
  return { type, status: 'True', reason, message }
}

function no(type: string, reason: string, message: string): Omit<Condition, 'lastTransitionTime'> {
  return { type, status: 'False', reason, message }
}
