// Translates the JSON Schema of a definition into a structural schema. Pure. Keywords without a structural form are passed
// on, and the server refuses them with its own message.

import { isObject, writeJson } from '@homeostat/meta'

export type Schema = Readonly<Record<string, unknown>>

const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const ANYTHING: Schema = { [PRESERVE]: true }
/** Keywords that do not restrict values. */
const REMARKS: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$comment', 'examples', 'title'])

/** Thrown for a schema without a structural form. */
export class SchemaProblem extends Error {}

/** Unknown fields are kept in every object that does not say `additionalProperties: false`. */
export function translateSchema(schema: unknown, path = 'spec.schema'): Schema {
  if (schema === true) return ANYTHING
  if (!isObject(schema)) throw new SchemaProblem(`${path}: must be an object`)
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => !REMARKS.has(name) && !OWN.has(name)))
  const type = typeOf(schema, path)
  return {
    ...rest,
    ...type,
    ...bounds(schema),
    ...('const' in schema && { enum: [schema.const] }),
    ...(type.type === 'object' && objectParts(schema, path)),
    ...(type.type === 'array' && arrayParts(schema, path)),
  }
}

/** Written by the functions below. */
const OWN: ReadonlySet<string> = new Set([
  'type',
  'nullable',
  'const',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'uniqueItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  PRESERVE,
])

interface TypeParts extends Schema {
  readonly type?: string
}

function typeOf(schema: Schema, path: string): TypeParts {
  const { type } = schema
  const nullable = schema.nullable === true && { nullable: true }
  if (typeof type === 'string') return { type, ...nullable }
  if (type === undefined) {
    const guessed = guessType(schema)
    return {
      ...(guessed === undefined ? !schema['x-kubernetes-int-or-string'] && ANYTHING : { type: guessed }),
      ...nullable,
    }
  }
  if (!Array.isArray(type)) throw new SchemaProblem(`${path}.type: must be the name of a type`)
  const others = type.filter((one) => one !== 'null')
  const orNull = others.length < type.length ? { nullable: true } : nullable
  const [only] = others
  if (others.length === 1 && typeof only === 'string') return { type: only, ...orNull }
  if (others.length === 2 && others.includes('string') && others.includes('integer')) {
    return { 'x-kubernetes-int-or-string': true, ...orNull }
  }
  throw new SchemaProblem(
    `${path}.type: ${writeJson(type)} is not possible; a field has one type, null beside it, or integer and string`,
  )
}

const HINTS: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties']],
  ['array', ['items', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** What a schema without a type must mean; undefined when it may be anything. */
function guessType(schema: Schema): string | undefined {
  const values = 'const' in schema ? [schema.const] : schema.enum
  if (Array.isArray(values) && values.length > 0) {
    const types = new Set(values.map((value) => (typeof value === 'bigint' ? 'number' : typeof value)))
    const [type = ''] = types
    return types.size === 1 && ['string', 'number', 'boolean'].includes(type) ? type : undefined
  }
  // `required: true` of a field is about the object that it is in.
  return HINTS.find(([, keywords]) => keywords.some((name) => typeof schema[name] !== 'boolean' && name in schema))?.[0]
}

/** Newer drafts give the bound itself as a number. */
function bounds(schema: Schema): Schema {
  const parts: Record<string, unknown> = {}
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = schema[exclusive]
    if (typeof value === 'number' || typeof value === 'bigint')
      Object.assign(parts, { [bound]: value, [exclusive]: true })
    else if (value !== undefined) parts[exclusive] = value
  }
  return parts
}

function objectParts(schema: Schema, path: string): Schema {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
  const translated = names.map((name) => [name, translateSchema(properties[name], `${path}.properties[${name}]`)])
  const required = requiredOf(schema, properties)
  const others = schema.additionalProperties
  const map = isObject(others) && names.length === 0
  return {
    ...(names.length > 0 && { properties: Object.fromEntries(translated) }),
    ...(required.length > 0 && { required }),
    // Fields with names and a schema for all others cannot stand together: the others are free then.
    ...(map && { additionalProperties: translateSchema(others, `${path}.additionalProperties`) }),
    ...(!map && others !== false && ANYTHING),
  }
}

/** The list, and those properties that say `required: true` of themselves. */
function requiredOf(schema: Schema, properties: Schema): readonly unknown[] {
  const listed = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries(properties).filter(([, property]) => isObject(property) && property.required === true)
  return [...new Set([...listed, ...own.map(([name]) => name)])]
}

function arrayParts(schema: Schema, path: string): Schema {
  const { items, uniqueItems } = schema
  // A list of schemas is refused by the server.
  const translated = Array.isArray(items) ? items : translateSchema(items ?? true, `${path}.items`)
  const type = isObject(translated) ? translated.type : undefined
  if (uniqueItems !== true) return { items: translated }
  const scalar = typeof type === 'string' && type !== 'object' && type !== 'array'
  return { items: translated, ...(scalar ? { 'x-kubernetes-list-type': 'set' } : { uniqueItems }) }
}
