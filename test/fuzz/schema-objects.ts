// Random schemas, mostly such as a definition may have, and random values that mostly fit a schema.

import type { Chooser } from './chooser.ts'

export type Schema = { readonly [keyword: string]: unknown }

const NAMES = ['a', 'b', 'c', 'name', 'items', 'constructor', 'x-y', 'metadata', 'apiVersion', 'kind']
const PATTERNS = ['^a+$', '(a|b)*', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '(', 'a{1000}', '\\d+', '(?i)x', '^$', '\\pL']
const FORMATS = ['date-time', 'int32', 'int64', 'byte', 'uuid', 'ipv4', 'duration', 'nonsense', 'email', 'uri']
const EXTRAS: Schema[] = [
  { nullable: true },
  { 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-embedded-resource': true },
  { 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-list-type': 'set' },
  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  { 'x-kubernetes-list-type': 'atomic' },
  { 'x-kubernetes-map-type': 'atomic' },
  { 'x-kubernetes-map-type': 'granular' },
  { maxLength: 2 },
  { minItems: 1, maxItems: 3 },
  { maxProperties: 2 },
  { minimum: 1, exclusiveMinimum: true },
  { multipleOf: 3 },
  { uniqueItems: true },
  { description: 'é "quoted"' },
  { title: '' },
  { $ref: '#/definitions/x' },
  { 'x-kubernetes-validations': [{ rule: 'self.a == 1' }] },
  { unknownKeyword: { deep: [1] } },
  { type: ['string', 'null'] },
  { properties: [] },
]

/** A schema of a custom resource's spec. */
export function anySchema(choose: Chooser, depth = 4): Schema {
  const type = choose.one(['object', 'object', 'array', 'string', 'integer', 'number', 'boolean', undefined])
  const inner = () => anySchema(choose, depth - 1)
  const parts: Schema[] = [type === undefined ? {} : { type }]
  if (type === 'object' && depth > 0) {
    if (choose.chance(80))
      parts.push({ properties: Object.fromEntries(choose.many(4, () => [choose.one(NAMES), inner()])) })
    else parts.push({ additionalProperties: choose.chance(80) ? inner() : choose.chance(50) })
    if (choose.chance(20)) parts.push({ required: choose.many(2, () => choose.one(NAMES)) })
  }
  if (type === 'array' && choose.chance(95)) parts.push({ items: depth > 0 ? inner() : { type: 'string' } })
  if (type === 'string') {
    if (choose.chance(15)) parts.push({ pattern: choose.one(PATTERNS) })
    if (choose.chance(15)) parts.push({ format: choose.one(FORMATS) })
    if (choose.chance(15)) parts.push({ enum: choose.many(5, () => choose.text()) })
  }
  if (depth > 0 && choose.chance(8)) parts.push({ [choose.one(['anyOf', 'oneOf', 'allOf'])]: choose.many(3, inner) })
  if (depth > 0 && choose.chance(3)) parts.push({ not: inner() })
  if (choose.chance(12)) parts.push(choose.one(EXTRAS))
  const schema: Schema = Object.assign({}, ...parts)
  if (!choose.chance(12)) return schema
  return { ...schema, default: choose.chance(80) ? fitting(choose, schema, {}) : choose.json() }
}

/** `named` are the schemas that a $ref may mean. */
export function fitting(choose: Chooser, schema: Schema, named: Readonly<Record<string, Schema>>, depth = 6): unknown {
  if (depth < 0 || choose.chance(3)) return choose.json(2)
  const referred = referredSchema(schema, named)
  if (referred) return fitting(choose, referred, named, depth - 1)
  if (Array.isArray(schema.enum) && choose.chance(80) && schema.enum.length > 0) return choose.one(schema.enum)
  if (schema.default !== undefined && choose.chance(20)) return schema.default
  switch (schema.type) {
    case 'object':
      return fittingObject(choose, schema, named, depth)
    case 'array':
      return choose.many(3, () => fitting(choose, (schema.items ?? {}) as Schema, named, depth - 1))
    case 'string':
      return choose.text()
    case 'integer':
      return choose.chance(80) ? choose.number(10) : choose.json(0)
    case 'number':
      return choose.number(100) / 8
    case 'boolean':
      return choose.chance(50)
    default:
      return choose.json(2)
  }
}

function referredSchema(schema: Schema, named: Readonly<Record<string, Schema>>): Schema | undefined {
  const all = Array.isArray(schema.allOf) ? (schema.allOf[0] as Schema) : undefined
  const ref = schema.$ref ?? all?.$ref
  return typeof ref === 'string' ? (named[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}) : undefined
}

function fittingObject(
  choose: Chooser,
  schema: Schema,
  named: Readonly<Record<string, Schema>>,
  depth: number,
): object {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const names = Object.keys(properties)
  const wanted = new Set([...required, ...(names.length > 0 ? choose.many(4, () => choose.one(names)) : [])])
  const object: Record<string, unknown> = {}
  for (const name of wanted) object[name] = fitting(choose, properties[name] ?? {}, named, depth - 1)
  const more = schema.additionalProperties
  if (typeof more === 'object' && more !== null) {
    for (const name of choose.many(3, () => choose.text()))
      object[name] = fitting(choose, more as Schema, named, depth - 1)
  }
  if (choose.chance(5)) object[choose.text()] = choose.json(2)
  return object
}

/** Metadata that somebody made up. */
export function anyMetadata(choose: Chooser, name: string): object {
  const maybe = (percent: number, make: () => object) => (choose.chance(percent) ? make() : {})
  return {
    name,
    ...maybe(20, () => ({ labels: { [choose.text()]: choose.text() } })),
    ...maybe(20, () => ({ annotations: { [choose.text()]: choose.chance(80) ? choose.text() : choose.json(1) } })),
    ...maybe(10, () => ({ finalizers: choose.many(3, () => choose.text()) })),
    ...maybe(10, () => ({ ownerReferences: choose.many(2, () => anyOwner(choose)) })),
    ...maybe(15, () => ({ managedFields: choose.many(3, () => anyEntry(choose)) })),
    ...maybe(10, () => ({ resourceVersion: choose.one(['0', '', '1', 'x', '99999999999999999999']) })),
    ...maybe(5, () => ({ uid: choose.text(), generation: choose.number(3), deletionTimestamp: choose.text() })),
    ...maybe(3, () => ({ [choose.text()]: choose.json(2) })),
  }
}

function anyOwner(choose: Chooser): unknown {
  if (choose.chance(10)) return choose.json(2)
  return {
    apiVersion: choose.one(['v1', 'apps/v1', 'fuzz.example.com/v1', '', 'a/b/c']),
    kind: choose.one(['ConfigMap', 'Widget', 'Event', '']),
    name: choose.text(),
    uid: choose.chance(50) ? '00000000-0000-4000-8000-000000000001' : choose.text(),
    ...(choose.chance(30) && { controller: choose.chance(50), blockOwnerDeletion: choose.chance(50) }),
  }
}

function anyEntry(choose: Chooser): unknown {
  if (choose.chance(10)) return choose.json(2)
  const fields = (depth: number): object =>
    Object.fromEntries(
      choose.many(3, () => [
        choose.chance(80) ? choose.one(ELEMENTS) : choose.text(),
        depth > 0 ? fields(depth - 1) : {},
      ]),
    )
  return {
    manager: choose.text(),
    operation: choose.one(['Apply', 'Update', 'Update', '', 'Nonsense']),
    apiVersion: choose.one(['v1', 'fuzz.example.com/v1', 'apps/v1', 'x/y/z']),
    time: choose.one(['2026-01-01T00:00:00Z', 'yesterday', '']),
    fieldsType: choose.one(['FieldsV1', 'FieldsV1', 'FieldsV2', '']),
    fieldsV1: choose.chance(90) ? fields(3) : choose.json(2),
    ...(choose.chance(20) && { subresource: choose.one(['status', 'scale', 'x']) }),
  }
}

const ELEMENTS = [
  'f:spec',
  'f:metadata',
  'f:labels',
  'f:a',
  '.',
  'k:{"name":"a"}',
  'k:{',
  'v:1',
  'v:"a"',
  'i:0',
  'i:-1',
  'x:',
  'f:',
  '',
]
