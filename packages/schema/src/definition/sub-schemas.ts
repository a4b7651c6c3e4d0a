// Walks the schemas inside a schema, with the paths a real server gives them.

import { isObject } from '@homeostat/meta'
import { additionalOf, type JsonSchema, namedSchemasOf, schemaOf, schemasOf } from '../json-schema.ts'
import { SchemaWalk } from './schema-walk.ts'

export interface SubSchema {
  schema: JsonSchema
  path: string
  /** Below allOf, anyOf, oneOf or not. */
  nested: boolean
  /** The name of the property that it is the schema of. */
  property?: string
}

/** The schemas directly inside. */
export function subSchemas({ schema, path, nested }: SubSchema, walk: SchemaWalk): SubSchema[] {
  const found: SubSchema[] = []
  const add = (sub: JsonSchema, at: string, junctor = false) =>
    found.push({ schema: sub, path: `${path}.${at}`, nested: nested || junctor })
  const additional = additionalOf(schema.additionalProperties)
  if (typeof additional === 'object') add(additional, 'additionalProperties')
  for (const [property, sub] of walk.propertiesOf(schema)) {
    found.push({ schema: sub, path: `${path}.properties[${property}]`, nested, property })
  }
  const not = schemaOf(schema.not)
  if (not !== undefined) add(not, 'not', true)
  for (const junctor of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, sub] of schemasOf(schema[junctor]).entries()) add(sub, `${junctor}[${index}]`, true)
  }
  for (const [name, sub] of namedSchemasOf(schema.definitions)) add(sub, `definitions[${name}]`)
  for (const [index, sub] of schemasOf(schema.items).entries()) add(sub, `items[${index}]`)
  if (isObject(schema.items)) add(schema.items, 'items')
  for (const [name, sub] of namedSchemasOf(schema.dependencies)) add(sub, `dependencies[${name}]`)
  return found
}

/** The schema and all schemas inside it, parents first. */
export function* allSchemas(schema: JsonSchema, walk = new SchemaWalk(), path = ''): Generator<SubSchema> {
  const waiting: SubSchema[] = [{ schema, path, nested: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next
    for (const sub of subSchemas(next, walk).reverse()) waiting.push(sub)
  }
}
