// Converts a schema to OpenAPI v2, in a form that kubectl up to 1.28 can read: its reader fails at allOf, anyOf and
// oneOf, at arrays without items, and at untyped values with properties. The rules are those of Kubernetes.

import { isObject } from '@homeostat/meta'
import type { Schema } from './meta-schemas.ts'

const V3_PREFIX = '#/components/schemas/'
const V2_PREFIX = '#/definitions/'
/** Keywords that only v3 has. */
const DROPPED = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default']

export function swaggerReference(v3: string): string {
  return v3.startsWith(V3_PREFIX) ? V2_PREFIX + v3.slice(V3_PREFIX.length) : v3
}

/** The schema of a whole kind. One that preserves unknown fields at its root becomes an object without properties. */
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
  // Built-in scalars of two types, such as ports, are published as strings; custom ones get no type.
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
  // An embedded resource got these fields added; without properties it must not require them.
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

/** In v3 a reference with siblings is an allOf with one element. */
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
