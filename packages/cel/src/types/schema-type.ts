// The type of a value that a structural schema describes, with the bounds that the schema or the size of a request set to it.
// Whoever compiles the rules of a definition or checks a policy calls it. Fields that no schema describes have no type and no name.

import { isObject } from '@homeostat/meta'
import { maxRequestBytes } from '../limits.ts'
import {
  boolType,
  bounded,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  type ListKind,
  listOf,
  mapOf,
  type ObjectField,
  objectType,
  stringType,
  timestampType,
} from './cel-type.ts'
import { escapeFieldName } from './field-name.ts'

export interface SchemaTypeOptions {
  /** The name of the type in messages; those of its fields' types begin with it. */
  name?: string
  /** Of a resource and an embedded resource: apiVersion, kind, metadata.name and metadata.generateName are there without being described. */
  resource?: boolean
}

type Schema = Record<string, unknown>

/** Undefined where expressions cannot reach: a schema without type, a list of such values. */
export function schemaType(schema: unknown, options: SchemaTypeOptions = {}): CelType | undefined {
  if (!isObject(schema)) return undefined
  return typeOf(schema, options.name ?? 'object', options.resource ?? false)
}

function typeOf(schema: Schema, name: string, isResource: boolean): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true)
    return bounded(dynType, maxLengthOf(schema, 4) ?? maxRequestBytes - 2)
  const described = isResource ? withTypeAndMetadata(schema) : schema
  switch (described.type) {
    case 'array':
      return typeOfArray(described, name)
    case 'object':
      return isObject(described.additionalProperties)
        ? typeOfMap(described, described.additionalProperties, name)
        : typeOfObject(described, name)
    case 'string':
      return typeOfString(described)
    case 'boolean':
      return boolType
    case 'number':
      return doubleType
    case 'integer':
      return intType
    default:
      return undefined
  }
}

function typeOfArray(schema: Schema, name: string): CelType | undefined {
  const items = schema.items
  if (!isObject(items)) return undefined
  const itemType = typeOf(items, `${name}.@idx`, isEmbedded(items))
  if (itemType === undefined) return undefined
  const most = Math.floor((maxRequestBytes - 2) / (itemType.minSerializedSize + 1))
  return listOf(itemType, boundOf(schema.maxItems) ?? most, listKindOf(schema))
}

function listKindOf(schema: Schema): ListKind {
  const kind = schema['x-kubernetes-list-type']
  if (kind === 'set') return 'set'
  const keys = schema['x-kubernetes-list-map-keys']
  return kind === 'map' && Array.isArray(keys) ? keys.map(String) : 'atomic'
}

function typeOfMap(schema: Schema, values: Schema, name: string): CelType | undefined {
  const valueType = typeOf(values, `${name}.@elem`, isEmbedded(values))
  if (valueType === undefined) return undefined
  // The shortest entry is a key of two characters, its quotes, a colon and a comma.
  const most = Math.floor((maxRequestBytes - 2) / (valueType.minSerializedSize + 6))
  return mapOf(stringType, valueType, boundOf(schema.maxProperties) ?? most)
}

function typeOfObject(schema: Schema, name: string): CelType {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = new Map<string, ObjectField>()
  let shortest = 2
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    const escaped = escapeFieldName(key)
    const type = typeOf(property, `${name}.${escaped ?? key}`, isEmbedded(property))
    if (type === undefined) continue
    if (escaped !== undefined) fields.set(escaped, { key, type })
    const isFilledIn = property.default !== undefined && property.default !== null
    if (required.has(key) && !isFilledIn) shortest += utf8Length(key) + type.minSerializedSize + 4
  }
  return objectType(name, fields, shortest)
}

function typeOfString(schema: Schema): CelType {
  switch (schema.format) {
    case 'byte':
      return bounded(bytesType, maxLengthOf(schema, 1) ?? maxRequestBytes - 2)
    case 'duration':
      return bounded(durationType, 32)
    case 'date':
      return bounded(timestampType, 12)
    case 'date-time':
      return { ...bounded(timestampType, 32), minSerializedSize: 21 }
    default:
      return bounded(stringType, maxLengthOf(schema, 4) ?? longestOfEnum(schema) ?? maxRequestBytes - 2)
  }
}

/** maxLength counts code points, of which each has up to `bytesEach` bytes. */
function maxLengthOf(schema: Schema, bytesEach: number): number | undefined {
  const bound = boundOf(schema.maxLength)
  return bound === undefined ? undefined : bound * bytesEach
}

function longestOfEnum(schema: Schema): number | undefined {
  if (!Array.isArray(schema.enum) || schema.enum.length === 0) return undefined
  return Math.max(0, ...schema.enum.map((value) => (typeof value === 'string' ? utf8Length(value) : 0)))
}

function boundOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  return Math.max(0, Number(value))
}

function isEmbedded(schema: Schema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true
}

const text: Schema = { type: 'string' }

function withTypeAndMetadata(schema: Schema): Schema {
  const properties = isObject(schema.properties) ? schema.properties : {}
  if (isText(properties.kind) && isText(properties.apiVersion) && describesNames(properties.metadata)) return schema
  const metadata = { type: 'object', properties: { name: text, generateName: text } }
  return { ...schema, properties: { ...properties, kind: text, apiVersion: text, metadata } }
}

function describesNames(metadata: unknown): boolean {
  if (!isObject(metadata) || metadata.type !== 'object' || !isObject(metadata.properties)) return false
  return isText(metadata.properties.name) && isText(metadata.properties.generateName)
}

function isText(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'string'
}

function utf8Length(value: string): number {
  return new TextEncoder().encode(value).length
}

/** How often a value of this type can stand in one request: as often a rule of an unbounded list's items may run. */
export function maxCardinality(type: CelType): number {
  return Math.floor(maxRequestBytes / (type.minSerializedSize + 1))
}
