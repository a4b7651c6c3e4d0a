// A schema as OpenAPI v2 can say it, and as the readers of kubectl up to 1.28 can take it: those stop at junctors, at
// arrays of nothing, and at untyped values that have fields. The same rules as in Kubernetes.

import { isObject } from '@homeostat/meta'
import type { Schema } from './meta-schemas.ts'

const V3_PREFIX = '#/components/schemas/'
const V2_PREFIX = '#/definitions/'
/** Said in v3 only. */
const DROPPED = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default']

export function swaggerReference(v3: string): string {
  return v3.startsWith(V3_PREFIX) ? V2_PREFIX + v3.slice(V3_PREFIX.length) : v3
}

/** The schema of a whole kind. One that keeps any field at its root is an object and nothing more. */
export function swaggerKind(schema: Schema): Schema {
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) return swaggerSchema(schema)
  const gvk = 'x-kubernetes-group-version-kind'
  return { type: 'object', [gvk]: schema[gvk] }
}

export function swaggerSchema(schema: Schema): Schema {
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) if (!DROPPED.includes(key)) out[key] = value
  const reference = referenceOf(schema)
  if (reference !== undefined) out.$ref = swaggerReference(reference)
  // A built-in scalar of two types, such as a port; a custom one has no type at all.
  else if (schema.type === undefined && Array.isArray(schema.oneOf)) out.type = 'string'
  const free = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (free || schema.nullable === true) {
    delete out.items
    delete out.properties
  }
  const untyped =
    schema.nullable === true ||
    (free && out.type === 'object') ||
    (out.type === 'array' && (out.items === undefined || typeof out.items !== 'object'))
  if (untyped) delete out.type
  // Then these fields were added to any embedded resource, and what is not typed has no fields.
  if (free && schema['x-kubernetes-embedded-resource'] === true) dropRequired(out, ['kind', 'apiVersion'])
  dropRequired(out, nullableFields(out.properties))
  if (isObject(out.additionalProperties) && out.additionalProperties.nullable === true) delete out.required
  return withInner(out)
}

function withInner(schema: Record<string, unknown>): Schema {
  if (isObject(schema.properties)) {
    const entries = Object.entries(schema.properties)
    schema.properties = Object.fromEntries(entries.map(([name, inner]) => [name, swaggerInner(inner)]))
  }
  if (schema.items !== undefined) schema.items = swaggerInner(schema.items)
  if (schema.additionalProperties !== undefined) schema.additionalProperties = swaggerInner(schema.additionalProperties)
  return schema
}

function swaggerInner(value: unknown): unknown {
  return isObject(value) ? swaggerSchema(value) : value
}

/** In v3, what stands beside a reference makes it an allOf of one. */
function referenceOf({ $ref, allOf }: Schema): string | undefined {
  if (typeof $ref === 'string') return $ref
  const [only, ...more] = Array.isArray(allOf) ? allOf : []
  return more.length === 0 && isObject(only) && typeof only.$ref === 'string' ? only.$ref : undefined
}

function nullableFields(properties: unknown): string[] {
  if (!isObject(properties)) return []
  return Object.keys(properties).filter((name) => {
    const field = properties[name]
    return isObject(field) && field.nullable === true
  })
}

function dropRequired(schema: Record<string, unknown>, names: readonly string[]): void {
  if (names.length === 0 || !Array.isArray(schema.required)) return
  const left = schema.required.filter((name) => !names.includes(name as string))
  if (left.length > 0) schema.required = left
  else delete schema.required
}
