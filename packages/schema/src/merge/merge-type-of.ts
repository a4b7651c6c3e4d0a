// Compiles a schema to the type model that apply and strategic merge patches read. Places are compiled when first
// met, so that endless schemas are no trouble and a start pays nothing.

import {
  ANY,
  type JsonValue,
  type ListKey,
  type MapType,
  METADATA_TYPE,
  type MergeType,
  type PatchStrategy,
  SCALAR,
} from '@homeostat/meta'
import {
  additionalOf,
  defaultOf,
  isRecord,
  type JsonSchema,
  metaFields,
  schemaOf,
  stringOf,
  stringsOf,
} from '../json-schema.ts'

/** The type of whole resources: the schema with apiVersion, kind and metadata. */
export function mergeTypeOf(schema: JsonSchema): MapType {
  const root = new Compiler().place(schema)
  const fields = root.kind === 'map' ? root : undefined
  return {
    kind: 'map',
    atomic: false,
    field: (name) => {
      if (name === 'metadata') return METADATA_TYPE
      if (metaFields.has(name)) return SCALAR
      return fields ? fields.field(name) : ANY
    },
    names: (name) => metaFields.has(name) || (fields?.names(name) ?? false),
  }
}

class Compiler {
  readonly #known = new Map<JsonSchema, MergeType>()

  place(schema: JsonSchema): MergeType {
    let type = this.#known.get(schema)
    if (type === undefined) {
      type = this.#compile(schema)
      this.#known.set(schema, type)
    }
    return type
  }

  #compile(schema: JsonSchema): MergeType {
    const patch = patchOf(schema)
    const place = patch === undefined ? {} : { patch }
    if (schema['x-kubernetes-int-or-string'] === true) return { kind: 'scalar', ...place }
    switch (stringOf(schema.type)) {
      case 'object':
        return this.#map(schema, place)
      case 'array':
        return this.#list(schema, place)
      case '':
        return isRecord(schema.properties) ? this.#map(schema, place) : { kind: 'any', ...place }
      default:
        return { kind: 'scalar', ...place }
    }
  }

  #map(schema: JsonSchema, place: { patch?: PatchStrategy }): MergeType {
    const properties = schemaOf(schema.properties)
    const additional = additionalOf(schema.additionalProperties)
    const open = schema['x-kubernetes-preserve-unknown-fields'] === true || additional === true
    const embedded = schema['x-kubernetes-embedded-resource'] === true
    if (properties === undefined && additional === undefined && !embedded) return { kind: 'any', ...place }
    const atomic = schema['x-kubernetes-map-type'] === 'atomic'
    const field = (name: string): MergeType | undefined => {
      const property = properties && Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined
      if (embedded && name === 'metadata') return METADATA_TYPE
      if (property !== undefined) return this.place(property)
      if (embedded && metaFields.has(name)) return SCALAR
      if (typeof additional === 'object') return this.place(additional)
      return open ? ANY : undefined
    }
    const names = (name: string) =>
      (properties !== undefined && Object.hasOwn(properties, name)) || (embedded && metaFields.has(name))
    return { kind: 'map', atomic, field, names, ...place }
  }

  #list(schema: JsonSchema, place: { patch?: PatchStrategy }): MergeType {
    const items = schemaOf(schema.items)
    const given = schema['x-kubernetes-list-type']
    const list = given === 'set' || given === 'map' ? given : 'atomic'
    const keys = list === 'map' ? listKeys(stringsOf(schema['x-kubernetes-list-map-keys']), items) : []
    const compile = () => (items === undefined ? ANY : this.place(items))
    return {
      kind: 'list',
      list,
      keys,
      get items() {
        return compile()
      },
      ...place,
    }
  }
}

function listKeys(names: readonly string[], items: JsonSchema | undefined): ListKey[] {
  const properties = schemaOf(items?.properties)
  return names.map((name) => {
    const property = schemaOf(properties?.[name])
    const value = property && defaultOf(property)
    return value === undefined ? { name } : { name, default: value as JsonValue }
  })
}

function patchOf(schema: JsonSchema): PatchStrategy | undefined {
  const strategies = stringOf(schema['x-kubernetes-patch-strategy'])
  if (strategies === '') return undefined
  const all = strategies.split(',')
  const mergeKey = stringOf(schema['x-kubernetes-patch-merge-key'])
  return {
    merge: all.includes('merge'),
    ...(mergeKey !== '' && { mergeKey }),
    retainKeys: all.includes('retainKeys'),
    replace: all.includes('replace'),
  }
}
