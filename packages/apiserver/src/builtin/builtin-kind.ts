// Makes a ResourceType from the few lines that describe a built-in kind.

import { type JsonSchema, mergeTypeOf } from '@homeostat/schema'
import { lazySchema } from '../registry/lazy-schema.ts'
import type { Column, ResourceType } from '../registry/resource-type.ts'
import { isFields } from './fields-of.ts'
import { type KindRules, schemaStrategy } from './schema-strategy.ts'
import { wireFormat } from './wire-format.ts'

export interface BuiltinKind {
  readonly group?: string
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs?: readonly string[]
  readonly subresources?: ResourceType['subresources']
  readonly columns: readonly Column[]
  readonly selectableFields?: ResourceType['selectableFields']
  /** Without apiVersion, kind and metadata. */
  readonly schema: JsonSchema
  /** What is published, when that is not the schema itself. */
  readonly openapi?: JsonSchema
  readonly rules: KindRules
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

export function builtinType(kind: BuiltinKind): ResourceType {
  const { rules } = kind
  const schema = lazySchema(kind.schema)
  const format = wireFormat(kind.schema)
  const strategy = schemaStrategy(schema, {
    ...rules,
    applyDefaults(object) {
      rules.applyDefaults?.(object)
      format.normalise(object)
    },
    // Only types are checked against the schema. What a kind requires is said by its own rules, as in Kubernetes.
    decodeErrors: (object) => [
      ...schema.decodeErrors(object),
      ...format.errors(object),
      ...(rules.decodeErrors?.(object) ?? []),
    ],
  })
  const group = kind.group ?? ''
  return {
    group,
    version: 'v1',
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    resource: kind.resource,
    singular: kind.kind.toLowerCase(),
    namespaced: kind.namespaced,
    shortNames: kind.shortNames ?? [],
    categories: kind.categories ?? [],
    verbs: kind.verbs ?? ALL_VERBS,
    storage: `${group === '' ? 'core' : group}/${kind.resource}`,
    storageVersion: 'v1',
    viewEpoch: 0,
    subresources: kind.subresources ?? { status: false },
    columns: kind.columns,
    selectableFields: kind.selectableFields ?? {},
    strategy,
    mergeType: mergeTypeOf(kind.schema),
    custom: false,
    acceptsCreates: true,
    createsNamespaces: false,
    openapi: published(kind.openapi ?? kind.schema),
  }
}

/** Clients know date-time only. */
function published(schema: JsonSchema): JsonSchema {
  const out = publish(schema)
  return isFields(out) ? out : {}
}

function publish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publish)
  if (!isFields(value)) return value
  const out = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, publish(inner)]))
  if (out.format === 'micro-time') out.format = 'date-time'
  // The keyword, not a field of that name.
  if (out.nullable === true) delete out.nullable
  return out
}
