// The published schemas of one kind and of its list: the definition's schema, with apiVersion, kind and metadata added
// at the root and in every embedded resource. kubectl finds them by x-kubernetes-group-version-kind.

import type { ResourceType } from '../registry/resource-type.ts'
import { componentName, describedRef, metaName, ref } from './component-name.ts'
import { API_VERSION, KIND, type Schema } from './meta-schemas.ts'

// Test suites search `kubectl explain` for some of these words.
const METADATA = describedRef(metaName('ObjectMeta'), "Standard object's metadata: identity, labels and life cycle.")
const LIST_METADATA = describedRef(metaName('ListMeta'), 'Version and paging of the list.')
/** The default that built-in kinds publish for parts that are never absent. */
const EMPTY: Schema = { default: {} }

/** Component names and their schemas. */
export function kindSchemas(type: ResourceType): [string, Schema][] {
  const { group, version, kind, listKind, custom } = type
  const name = componentName(group, version, kind, custom)
  const own: [string, Schema] = [
    name,
    { ...withMetadata(withEmbedded(type.openapi), custom), ...extensions(type, kind) },
  ]
  if (!type.verbs.includes('list')) return [own]
  const list = componentName(group, version, listKind, custom)
  return [own, [list, { ...listSchema(type, name), ...extensions(type, listKind) }]]
}

/** The schema of a kind that is not a resource: the body of an action, such as an Eviction. */
export function bodySchema(schema: Schema, group: string, version: string, kind: string): Schema {
  return { ...withMetadata(schema, false), 'x-kubernetes-group-version-kind': [{ group, kind, version }] }
}

function withMetadata(schema: Schema, custom: boolean): Schema {
  const metadata = custom ? METADATA : { ...METADATA, ...EMPTY }
  const properties = { apiVersion: API_VERSION, kind: KIND, metadata, ...record(schema.properties) }
  return { ...schema, type: 'object', properties }
}

function listSchema(type: ResourceType, item: string): Schema {
  const { custom } = type
  return {
    description: `A list of ${type.resource}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: API_VERSION,
      items: {
        type: 'array',
        description: `The ${type.resource}.`,
        items: custom ? ref(item) : { allOf: [ref(item)], ...EMPTY },
      },
      kind: KIND,
      metadata: custom ? LIST_METADATA : { ...LIST_METADATA, ...EMPTY },
    },
  }
}

function extensions({ group, version, custom, selectableFields }: ResourceType, kind: string): Schema {
  const fields = custom ? Object.keys(selectableFields) : []
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(fields.length > 0
      ? { 'x-kubernetes-selectable-fields': fields.map((field) => ({ fieldPath: field.replace(/^\./, '') })) }
      : {}),
  }
}

/** Adds the common fields to embedded resources. A schema without embedded resources is returned unchanged. */
function withEmbedded(schema: Schema): Schema {
  const changed: Record<string, unknown> = {}
  for (const key of ['items', 'additionalProperties']) {
    const inner = record(schema[key])
    const next = inner && withEmbedded(inner)
    if (next !== inner) changed[key] = next
  }
  const properties = record(schema.properties)
  const entries = Object.entries(properties ?? {}).map(([name, field]): [string, unknown, unknown] => {
    const inner = record(field)
    return [name, field, inner ? withEmbedded(inner) : field]
  })
  if (entries.some(([, before, after]) => before !== after)) {
    changed.properties = Object.fromEntries(entries.map(([name, , after]) => [name, after]))
  }
  const walked = Object.keys(changed).length > 0 ? { ...schema, ...changed } : schema
  return schema['x-kubernetes-embedded-resource'] === true ? asEmbedded(walked) : walked
}

function asEmbedded(schema: Schema): Schema {
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = ['kind', 'apiVersion'].filter((field) => !required.includes(field))
  return {
    ...schema,
    required: [...required, ...missing],
    properties: { ...record(schema.properties), apiVersion: API_VERSION, kind: KIND, metadata: METADATA },
  }
}

function record(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined
}
