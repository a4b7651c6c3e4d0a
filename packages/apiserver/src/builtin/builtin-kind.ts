// Makes a ResourceType from the description of a built-in kind. Everything that needs the schema is built with the
// first object: a start must not pay for unused kinds.

import { once } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'
import { mergeTypeOf } from '@homeostat/schema/merge-type'
import { lazySchema } from '../registry/lazy-schema.ts'
import type { Column, ResourceType } from '../registry/resource-type.ts'
import { TypeMemo } from '../registry/type-memo.ts'
import { finalizerNameErrors } from './finalizer-names.ts'
import { WITHOUT_HISTORY } from './kind-traits.ts'
import { type KindRules, schemaStrategy } from './schema-strategy.ts'
import { type WireFormat, WireFormats } from './wire-format.ts'

export interface BuiltinKind {
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly resource: string
  readonly singular?: string
  readonly namespaced: boolean
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs?: readonly string[]
  readonly subresources?: ResourceType['subresources']
  readonly columns: readonly Column[]
  readonly selectableFields?: ResourceType['selectableFields']
  readonly review?: ResourceType['review']
  readonly deprecation?: string
  /** Set when objects of this version are stored in the form of another version. */
  readonly stored?: StoredForm
  /** The schema without apiVersion, kind and metadata. */
  readonly schema: JsonSchema | (() => JsonSchema)
  /** The published schema, if it differs from `schema`. */
  readonly openapi?: JsonSchema | (() => JsonSchema)
  readonly rules: KindRules
  /** See ResourceType. */
  readonly confidential?: boolean
}

export interface StoredForm {
  readonly storage: string
  readonly version: string
  readonly conversion: NonNullable<ResourceType['conversion']>
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** `formats` is shared by the kinds that are made together. */
export function builtinType(kind: BuiltinKind, formats = new WireFormats()): ResourceType {
  const group = kind.group ?? ''
  const version = kind.version ?? 'v1'
  const storage = kind.stored?.storage ?? `${group === '' ? 'core' : group}/${kind.resource}`
  const schema = once(() => made(kind.schema))
  const format = once(() => formats.of(schema()))
  const mergeType = once(() => mergeTypeOf(schema()))
  const template = once(() => emptyTemplate(kind, schema(), format()))
  const openapi = once(() => made(kind.openapi ?? kind.schema))
  return {
    group,
    version,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    resource: kind.resource,
    singular: kind.singular ?? kind.kind.toLowerCase(),
    namespaced: kind.namespaced,
    shortNames: kind.shortNames ?? [],
    categories: kind.categories ?? [],
    verbs: kind.verbs ?? ALL_VERBS,
    storage,
    keepsHistory: !WITHOUT_HISTORY.has(storage),
    storageVersion: kind.stored?.version ?? version,
    viewEpoch: 0,
    ...(kind.stored && { conversion: kind.stored.conversion }),
    subresources: kind.subresources ?? { status: false },
    columns: kind.columns,
    selectableFields: kind.selectableFields ?? {},
    strategy: strategyOf(kind, schema, format),
    memo: new TypeMemo(),
    get mergeType() {
      return mergeType()
    },
    get emptyTemplate() {
      return template()
    },
    ...(kind.review && { review: kind.review }),
    ...(kind.deprecation !== undefined && { deprecation: kind.deprecation }),
    custom: false,
    ...(kind.confidential && { confidential: true }),
    acceptsCreates: true,
    createsNamespaces: false,
    get openapi() {
      return openapi()
    },
  }
}

function strategyOf(
  { rules, group = '' }: BuiltinKind,
  source: () => JsonSchema,
  format: () => WireFormat,
): ResourceType['strategy'] {
  const schema = lazySchema(source)
  const strategy = schemaStrategy(schema, {
    ...rules,
    // The schema checks types only. The kind's own rules check required fields, as in Kubernetes.
    decodeErrors: (object) => [
      ...schema.decodeErrors(object),
      ...format().errors(object),
      ...(rules.decodeErrors?.(object) ?? []),
    ],
  })
  return {
    ...strategy,
    prune(object) {
      const removed = strategy.prune(object)
      format().normalise(object)
      return removed
    },
    validate: (object) => [...finalizerNameErrors(group, object), ...strategy.validate(object)],
    validateUpdate: (object, old) => [...finalizerNameErrors(group, object), ...strategy.validateUpdate(object, old)],
    applyDefaults(object) {
      // Objects of controllers did not go through `prune`.
      format().normalise(object)
      strategy.applyDefaults(object)
      format().complete(object)
    },
  }
}

function emptyTemplate(
  { group = '', version = 'v1', kind }: BuiltinKind,
  schema: JsonSchema,
  format: WireFormat,
): KubeObject {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const object: KubeObject = { apiVersion, kind, metadata: {} }
  lazySchema(schema).applyDefaults(object)
  format.complete(object)
  return object
}

function made(schema: JsonSchema | (() => JsonSchema)): JsonSchema {
  return typeof schema === 'function' ? (schema as () => JsonSchema)() : schema
}
