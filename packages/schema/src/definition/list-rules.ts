// Rules about x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type.

import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type JsonSchema, schemaOf, stringOf, stringsOf } from '../json-schema.ts'
import { bounded } from './limits.ts'
import type { SchemaWalk } from './schema-walk.ts'

export function listRules(schema: JsonSchema, path: string, walk: SchemaWalk): Cause[] {
  const listType = extension(schema, 'x-kubernetes-list-type')
  const mapType = extension(schema, 'x-kubernetes-map-type')
  const keys = stringsOf(schema['x-kubernetes-list-map-keys'])
  const causes: Cause[] = []
  if (mapType !== undefined) {
    causes.push(...mustBe(schema, path, 'object', 'x-kubernetes-map-type'))
    const known = ['atomic', 'granular']
    if (!known.includes(mapType)) causes.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, known))
  }
  if (listType !== undefined) {
    causes.push(...mustBe(schema, path, 'array', 'x-kubernetes-list-type'))
    if (stringOf(schema.type) === 'array' && listType === 'set') causes.push(...setItemRules(schema, path))
    const known = ['atomic', 'set', 'map']
    if (!known.includes(listType)) causes.push(notSupported(`${path}.x-kubernetes-list-type`, listType, known))
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const at = `${path}.x-kubernetes-list-type`
    causes.push(listType === undefined ? required(at, detail) : invalidValue(at, listType, detail))
  }
  if (listType === 'map') causes.push(...mapRules(schema, keys, path, walk))
  if (listType === 'map' || listType === 'set') causes.push(...presenceRules(schema, listType, keys, path, walk))
  return causes
}

function extension(schema: JsonSchema, keyword: string): string | undefined {
  const value = schema[keyword]
  return typeof value === 'string' ? value : undefined
}

function mustBe(schema: JsonSchema, path: string, type: string, keyword: string): Cause[] {
  const given = stringOf(schema.type)
  if (given === type) return []
  const detail = `must be ${type} if ${keyword} is specified`
  return [given === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, given, detail)]
}

/** Items of a set are compared as wholes. */
function setItemRules(schema: JsonSchema, path: string): Cause[] {
  const items = schemaOf(schema.items)
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items && extension(items, 'x-kubernetes-list-type')
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-list-type`, listType, detail)]
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'] ?? null, detail)]
  }
  return []
}

function mapRules(schema: JsonSchema, keys: string[], path: string, walk: SchemaWalk): Cause[] {
  const causes: Cause[] = []
  const keysAt = `${path}.x-kubernetes-list-map-keys`
  if (keys.length === 0) causes.push(required(keysAt, 'must not be empty if x-kubernetes-list-type is map'))
  const items = schemaOf(schema.items)
  if (items === undefined) {
    const detail = Array.isArray(schema.items) ? 'must only have a single schema' : 'must have a schema'
    const at = `${path}.items`
    const full = `${detail} if x-kubernetes-list-type is map`
    causes.push(Array.isArray(schema.items) ? invalidValue(at, schema.items, full) : required(at, full))
    return causes
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    causes.push(invalidValue(`${path}.items.type`, stringOf(items.type), detail))
    return causes
  }
  const properties = walk.propertiesOf(items)
  // Every cause lists all keys, so the list is written once.
  const unknown = once(() => invalidValue(keysAt, keys, 'entries must all be names of item properties'))
  const repeated = once(() => invalidValue(keysAt, keys, 'must not contain duplicate entries'))
  const seen = new Set<string>()
  for (const key of keys) {
    const property = properties.get(key)
    if (property === undefined) causes.push(unknown())
    else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      causes.push(invalidValue(`${path}.items.properties[${key}].type`, property.type, detail))
    }
    if (seen.has(key)) causes.push(repeated())
    seen.add(key)
  }
  return bounded(causes)
}

/** Items and keys are always there to compare by. */
function presenceRules(schema: JsonSchema, listType: string, keys: string[], path: string, walk: SchemaWalk): Cause[] {
  const items = schemaOf(schema.items)
  if (items === undefined) return []
  const causes: Cause[] = []
  if (items.nullable === true) {
    causes.push(
      forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    )
  }
  if (listType === 'set') return causes
  const properties = walk.propertiesOf(items)
  const needed = new Set(stringsOf(items.required))
  for (const key of keys) {
    const property = properties.get(key)
    if (property === undefined) continue
    const at = `${path}.items.properties[${key}]`
    const because = 'this property is in x-kubernetes-list-map-keys, so it'
    if (!needed.has(key) && (property.default ?? undefined) === undefined) {
      causes.push(required(`${at}.default`, `${because} must have a default or be a required property`))
    }
    if (property.nullable === true) causes.push(forbiddenField(`${at}.nullable`, `${because} cannot be nullable`))
  }
  return bounded(causes)
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
