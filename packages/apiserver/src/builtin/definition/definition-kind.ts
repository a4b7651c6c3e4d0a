// CustomResourceDefinition as a built-in kind: its schema, its defaults, and what a write prepares. definition-rules.ts
// validates it.

import { dns1123Subdomain, isObject, type KubeObject, setCondition } from '@homeostat/meta'
import { nameColumn } from '../../table/metadata-columns.ts'
import type { BuiltinKind } from '../builtin-kind.ts'
import { publishedObject } from '../facts/published-schema.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'
import { asDefinition, CLEANUP_FINALIZER } from './definition.ts'
import { definitionRules } from './definition-rules.ts'
import { definitionSchema } from './definition-schema.ts'
import { schemaPropsSchema } from './schema-props.ts'

/** `now` returns milliseconds since the epoch, for the condition that a deletion sets. */
export const definitionKind = (now: () => number): BuiltinKind => ({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  subresources: { status: true },
  columns: [
    nameColumn,
    {
      name: 'Created At',
      type: 'date',
      format: '',
      description: 'When the definition was created.',
      priority: 0,
      cell: (object) => object.metadata.creationTimestamp ?? null,
    },
  ],
  schema: definitionSchema(schemaPropsSchema()),
  openapi: () => publishedObject('apiextensions.v1.CustomResourceDefinition'),
  rules: {
    nameErrors: dns1123Subdomain,
    statusApart: true,
    resetFields: { '': [['status']], status: [['metadata'], ['spec']] },
    generation: true,
    dependents: 'ignored',
    applyDefaults,
    prepareForCreate: addStoredVersion,
    prepareForUpdate: addStoredVersion,
    beforeDelete: (object) => markTerminating(object, now()),
    ...definitionRules(),
  },
})

function applyDefaults(object: KubeObject): void {
  object.spec ??= {}
  const { spec } = object
  if (!isObject(spec)) return
  if (isObject(spec.names)) {
    const kind = textOf(spec.names.kind)
    if (!spec.names.singular && kind) spec.names.singular = kind.toLowerCase()
    if (!spec.names.listKind && kind) spec.names.listKind = `${kind}List`
  }
  if (spec.preserveUnknownFields === false) delete spec.preserveUnknownFields
  if (!isObject(spec.conversion)) spec.conversion = { strategy: 'None' }
  const { service } = fieldsOf(fieldsOf(fieldsOf(spec.conversion).webhook).clientConfig)
  if (isObject(service)) service.port ??= 443
  if (!isObject(object.status)) object.status = {}
  const status = fieldsOf(object.status)
  // Writes absent lists as null, as Kubernetes does.
  status.conditions ??= null
  if (listOf(status.storedVersions).length === 0) status.storedVersions = storageVersions(object)
}

/** Adds the storage version to storedVersions; it stays there until somebody migrates the objects. */
function addStoredVersion(object: KubeObject): void {
  const status = fieldsOf(object.status)
  const stored = new Set([...listOf(status.storedVersions), ...(storageVersions(object) ?? [])])
  object.status = { ...status, storedVersions: [...stored] }
}

/** The storage version as a list; null when there is none, as Kubernetes writes it. */
function storageVersions({ spec }: KubeObject): string[] | null {
  const storing = listOf(fieldsOf(spec).versions)
    .map(fieldsOf)
    .find((version) => version.storage === true)
  return storing ? [textOf(storing.name)] : null
}

/** The finalizer keeps the definition until its objects are deleted; the condition says why it still exists. */
function markTerminating(object: KubeObject, now: number): void {
  const definition = asDefinition(object)
  const { metadata, status } = definition
  if (metadata.deletionTimestamp !== undefined) return
  const finalizers = metadata.finalizers ?? []
  if (!finalizers.includes(CLEANUP_FINALIZER)) metadata.finalizers = [...finalizers, CLEANUP_FINALIZER]
  definition.status = {
    ...status,
    conditions: setCondition(
      status.conditions ?? [],
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
      now,
    ),
  }
}
