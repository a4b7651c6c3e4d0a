// Links the field lines of a type into a schema that prunes, decodes, defaults and merges its objects. A struct is
// linked when first reached and once for all kinds, so that nine kinds with pod templates share one pod.

import type { JsonSchema } from '@homeostat/schema'
import { typeLines } from './facts-files.ts'
import { ATOMIC_STRUCT, type FieldLine, type FieldType, parseFieldLine, type ScalarName } from './field-line.ts'

/** Facts that never change, linked when a kind first needs them: a start that linked all would take longer. */
const structs = new Map<string, JsonSchema>()

/** The schema of whole objects of a type, without apiVersion, kind and metadata. */
export function objectSchema(name: string): JsonSchema {
  const schema = structSchema(name)
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties as Record<string, JsonSchema>
  return { ...schema, properties }
}

/** The schema of a struct. Types may contain themselves. */
function structSchema(name: string): JsonSchema {
  const known = structs.get(name)
  if (known) return known
  const lines = typeLines(name)
  if (!lines) throw new Error(`nothing describes the type ${name}`)
  const properties: Record<string, JsonSchema> = {}
  // Register the schema before its properties are filled, so that nested references to it resolve.
  const schema: JsonSchema = { type: 'object', properties }
  if (lines.includes(ATOMIC_STRUCT)) schema['x-kubernetes-map-type'] = 'atomic'
  structs.set(name, schema)
  for (const line of lines) {
    if (line === ATOMIC_STRUCT) continue
    const field = parseFieldLine(line)
    properties[field.name] = placeOf(field)
  }
  return schema
}

function placeOf(field: FieldLine): JsonSchema {
  const place: JsonSchema = { ...typeSchema(field.type) }
  if (field.absent === 'zero') place.default = zeroOf(field.type)
  if (field.default !== undefined) place.default = field.default
  if (field.absent === 'null') place.writtenAsNull = true
  if (!field.pointer && field.absent !== 'zero') place.omitZero = true
  if (field.list !== undefined) place['x-kubernetes-list-type'] = field.list
  if (field.keys) place['x-kubernetes-list-map-keys'] = field.keys
  if (field.patch !== undefined) place['x-kubernetes-patch-strategy'] = field.patch
  if (field.mergeKey !== undefined) place['x-kubernetes-patch-merge-key'] = field.mergeKey
  if (field.map) place['x-kubernetes-map-type'] = field.map
  return place
}

function typeSchema(type: FieldType): JsonSchema {
  switch (type.is) {
    case 'struct':
      return structSchema(type.name)
    case 'list':
      return { type: 'array', items: elementSchema(type.of) }
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(type.of) }
    default:
      return SCALARS[type.name]
  }
}

/** A null element is decoded as the zero value. */
function elementSchema(type: FieldType): JsonSchema {
  const schema = typeSchema(type)
  const empty = zeroOf(type)
  return empty === undefined ? schema : { ...schema, default: empty }
}

const SCALARS: Readonly<Record<ScalarName, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'micro-time' },
  // A string or any number; wire-format.ts validates it.
  quantity: { format: 'quantity' },
  'int-or-string': { 'x-kubernetes-int-or-string': true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
}

function zeroOf(type: FieldType): unknown {
  if (type.is === 'struct') return {}
  return type.is === 'scalar' ? ZEROS[type.name] : undefined
}

const ZEROS: Readonly<Partial<Record<ScalarName, unknown>>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: '',
  quantity: '0',
  'int-or-string': 0,
}
