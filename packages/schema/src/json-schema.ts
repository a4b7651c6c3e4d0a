// The schema as a definition carries it (JSONSchemaProps) and safe ways to read its keywords.
// A schema comes from users, so that every keyword is read as unknown and ignored when it has the wrong shape.

import { isObject } from '@homeostat/meta'

export type JsonSchema = Record<string, unknown>

/** The fields every resource has: implied at the root and in embedded resources. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

export function schemaOf(value: unknown): JsonSchema | undefined {
  return isObject(value) ? value : undefined
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' ? value : undefined
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

export function schemasOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Named sub-schemas in name order. */
export function namedSchemasOf(value: unknown): [string, JsonSchema][] {
  if (!isObject(value)) return []
  const named: [string, JsonSchema][] = []
  for (const name of Object.keys(value).sort()) {
    const schema = value[name]
    if (isObject(schema)) named.push([name, schema])
  }
  return named
}

export function additionalOf(value: unknown): JsonSchema | boolean | undefined {
  return typeof value === 'boolean' ? value : schemaOf(value)
}

export function defaultOf(schema: JsonSchema): unknown {
  return schema.default ?? undefined
}
