// Compiles a schema to the type model that apply and strategic merge patches read, as Kubernetes reads schemas for
// them. Nodes are compiled when first visited, so that cyclic schemas work and a start costs nothing.

import { isObject, type JsonValue } from '@homeostat/meta'
import {
  ANY,
  BOOLEAN,
  type ListKey,
  type MapType,
  METADATA_TYPE,
  type MergeType,
  NUMBER,
  type PatchStrategy,
  SCALAR,
  type ScalarType,
  STRING,
} from '@homeostat/meta/merge'
import { additionalOf, defaultOf, type JsonSchema, metaFields, schemaOf, stringOf, stringsOf } from '../json-schema.ts'

/** The type of whole resources: the schema with apiVersion, kind and metadata. */
export function mergeTypeOf(schema: JsonSchema): MapType {
  return new Compiler().map(schema, { embedded: true, open: isOpen(schema), loose: false })
}

interface MapOptions {
  /** Has apiVersion, kind and metadata whatever the schema says. */
  readonly embedded: boolean
  /** Fields that the schema does not name are kept. */
  readonly open: boolean
  readonly loose: boolean
}

class Compiler {
  readonly #closed = new Map<JsonSchema, MergeType>()
  readonly #open = new Map<JsonSchema, MergeType>()

  /** What is inside of an open object is open, too. */
  place(schema: JsonSchema, within: boolean): MergeType {
    const open = within || isOpen(schema)
    const known = open ? this.#open : this.#closed
    let type = known.get(schema)
    if (type === undefined) {
      type = this.#compile(schema, open)
      known.set(schema, type)
    }
    return type
  }

  #compile(schema: JsonSchema, open: boolean): MergeType {
    const embedded = schema['x-kubernetes-embedded-resource'] === true
    switch (stringOf(schema.type)) {
      case 'object':
        return this.map(schema, { embedded, open, loose: false })
      case 'array':
        return this.#list(schema, open)
      case '':
        if (embedded || hasParts(schema)) return this.map(schema, { embedded, open, loose: true })
        return withPatch(ANY, schema)
      default:
        return withPatch(scalarOf(schema), schema)
    }
  }

  map(schema: JsonSchema, { embedded, open, loose }: MapOptions): MapType {
    const properties = schemaOf(schema.properties) ?? {}
    const additional = additionalOf(schema.additionalProperties)
    const named = (name: string) => (Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined)
    // An object without a schema for its fields holds any value.
    const free = additional === undefined && (open || (!embedded && Object.keys(properties).length === 0))
    const others = typeof additional === 'object' ? additional : undefined
    const find = (name: string): MergeType | undefined => {
      if (embedded && metaFields.has(name)) return name === 'metadata' ? METADATA_TYPE : STRING
      const property = named(name)
      if (property !== undefined) return this.place(property, open)
      if (others !== undefined) return this.place(others, open)
      return free || additional === true ? ANY : undefined
    }
    const known = new Map<string, MergeType>()
    const type: MapType = {
      kind: 'map',
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
      ...(loose && { loose }),
      field: (name) => {
        const met = known.get(name)
        if (met !== undefined) return met
        const found = find(name)
        // Only names of the schema are cached: keys of maps are unbounded.
        if (found !== undefined && named(name) !== undefined) known.set(name, found)
        return found
      },
      names: (name) => (embedded && metaFields.has(name)) || named(name) !== undefined,
    }
    return withPatch(type, schema)
  }

  #list(schema: JsonSchema, open: boolean): MergeType {
    const items = schemaOf(schema.items)
    const keys = listKeys(keyNames(schema), items)
    const compile = () => (items === undefined ? ANY : this.place(items, open))
    return {
      kind: 'list',
      list: listKind(schema, keys),
      keys,
      get items() {
        return compile()
      },
      ...patchOf(schema),
    }
  }
}

function isOpen(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
}

function hasParts(schema: JsonSchema): boolean {
  if (schema['x-kubernetes-map-type'] === 'atomic') return true
  return isObject(schema.properties) || additionalOf(schema.additionalProperties) !== undefined
}

function scalarOf(schema: JsonSchema): ScalarType {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return NUMBER
    case 'boolean':
      return BOOLEAN
    default: {
      // Formats such as date-time and int-or-string may be written in other ways than as a string.
      const format = stringOf(schema.format)
      return schema.type === 'string' && (format === '' || format === 'byte') ? STRING : SCALAR
    }
  }
}

/** Lists without a list type follow their patch strategy, as those of old kinds do. */
function listKind(schema: JsonSchema, keys: readonly ListKey[]): 'atomic' | 'set' | 'map' {
  const given = schema['x-kubernetes-list-type']
  const merges = given === undefined ? isMergedList(schema) : given === 'set' || given === 'map'
  if (!merges) return 'atomic'
  return keys.length > 0 ? 'map' : 'set'
}

function keyNames(schema: JsonSchema): readonly string[] {
  const given = schema['x-kubernetes-list-type']
  if (given === 'map') return stringsOf(schema['x-kubernetes-list-map-keys'])
  if (given !== undefined || !isMergedList(schema)) return []
  const mergeKey = stringOf(schema['x-kubernetes-patch-merge-key'])
  return mergeKey === '' ? [] : [mergeKey]
}

function isMergedList(schema: JsonSchema): boolean {
  return strategiesOf(schema).includes('merge')
}

function listKeys(names: readonly string[], items: JsonSchema | undefined): ListKey[] {
  const properties = schemaOf(items?.properties)
  return names.map((name) => {
    const property = properties && Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined
    const value = property && defaultOf(property)
    return value === undefined ? { name } : { name, default: value as JsonValue }
  })
}

function withPatch<T extends MergeType>(type: T, schema: JsonSchema): T {
  const patch = patchOf(schema)
  return patch === undefined ? type : { ...type, ...patch }
}

function patchOf(schema: JsonSchema): { patch: PatchStrategy } | undefined {
  const all = strategiesOf(schema)
  if (all.length === 0) return undefined
  const mergeKey = stringOf(schema['x-kubernetes-patch-merge-key'])
  return {
    patch: {
      merge: all.includes('merge'),
      ...(mergeKey !== '' && { mergeKey }),
      retainKeys: all.includes('retainKeys'),
      replace: all.includes('replace'),
    },
  }
}

function strategiesOf(schema: JsonSchema): string[] {
  const strategies = stringOf(schema['x-kubernetes-patch-strategy'])
  return strategies === '' ? [] : strategies.split(',')
}
