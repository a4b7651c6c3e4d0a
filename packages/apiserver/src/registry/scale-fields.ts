// Which manager owns the replicas of an object, as a write of its scale sees it. A Scale shows only the managedFields
// entries that own replicas; without such an entry it looks untracked.

import type { FieldSet, KubeObject } from '@homeostat/meta'
import type { ManagedFieldsEntry } from '@homeostat/meta/merge'
import { apiVersionOf } from './decode-object.ts'
import { sibling } from './field-tracking.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'

export function ownsReplicas(registry: Registry, type: ResourceType, object: KubeObject): boolean {
  const own = apiVersionOf(type)
  return entriesOf(object).some(({ apiVersion = '', fieldsV1 }) => {
    const { scale } = (apiVersion === own ? type : sibling(registry, type, apiVersion))?.subresources ?? {}
    return scale !== undefined && has(fieldsV1, stepsOf(scale.specReplicas))
  })
}

/** The object as the first apply of its scale sees it: unowned replicas belong to the manager before-first-apply. */
export function withReplicasOwned(registry: Registry, type: ResourceType, object: KubeObject): KubeObject {
  const { scale } = type.subresources
  if (scale === undefined || ownsReplicas(registry, type, object)) return object
  const entry: ManagedFieldsEntry = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: apiVersionOf(type),
    fieldsType: 'FieldsV1',
    fieldsV1: stepsOf(scale.specReplicas).reduceRight<FieldSet>((inner, step) => ({ [step]: inner }), {}),
    subresource: 'scale',
  }
  return { ...object, metadata: { ...object.metadata, managedFields: [...entriesOf(object), entry] } }
}

function entriesOf({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
  return (metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]
}

/** Scale paths have only dots and field names. */
function stepsOf(path: string): string[] {
  return path
    .split('.')
    .filter(Boolean)
    .map((name) => `f:${name}`)
}

function has(set: FieldSet | undefined, steps: readonly string[]): boolean {
  return steps.reduce((node, step) => node?.[step], set) !== undefined
}
