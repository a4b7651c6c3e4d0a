// Builders for the schemas of built-in kinds. Defaults are the zero values that Kubernetes' encoder writes: a required
// string is '', an embedded struct is {}.

import type { JsonSchema } from '@homeostat/schema'

export const text: JsonSchema = { type: 'string' }
export const requiredText: JsonSchema = { type: 'string', default: '' }
export const flag: JsonSchema = { type: 'boolean' }
export const requiredFlag: JsonSchema = { type: 'boolean', default: false }
export const int32: JsonSchema = { type: 'integer', format: 'int32' }
export const int64: JsonSchema = { type: 'integer', format: 'int64' }
export const double: JsonSchema = { type: 'number', format: 'double' }
export const bytes: JsonSchema = { type: 'string', format: 'byte' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
/** A time that is written as null when it is absent. */
export const nullableTime: JsonSchema = { ...time, nullable: true }
/** Six digits after the second. It is published as date-time, which has no such rule. */
export const microTime: JsonSchema = { type: 'string', format: 'micro-time' }
/** Any value. */
export const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

export function struct(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

/** A struct that is always present. */
export function embedded(schema: JsonSchema): JsonSchema {
  return { ...schema, default: {} }
}

export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values }
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items: nullAsEmpty(items), 'x-kubernetes-list-type': 'atomic' }
}

export function listByKey(items: JsonSchema, key: string, patchMerge = true): JsonSchema {
  return {
    type: 'array',
    items: nullAsEmpty(items),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    ...(patchMerge ? { 'x-kubernetes-patch-merge-key': key, 'x-kubernetes-patch-strategy': 'merge' } : {}),
  }
}

/** A null in a list of structs is decoded as an empty struct. */
function nullAsEmpty(items: JsonSchema): JsonSchema {
  return items.properties === undefined ? items : embedded(items)
}
