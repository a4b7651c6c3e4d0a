import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from './meta-schemas.ts'
import { swaggerKind, swaggerSchema } from './swagger-schema.ts'

const text = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const free = { 'x-kubernetes-preserve-unknown-fields': true }

describe('a schema in OpenAPI v2', () => {
  it.each<[string, Schema, Schema]>([
    ['has no defaults', { type: 'integer', default: 3, minimum: 1 }, { type: 'integer', minimum: 1 }],
    [
      'has no junctors',
      object({ a: text }, { oneOf: [{ required: ['a'] }], not: { required: ['b'] }, allOf: [{}, {}] }),
      object({ a: text }),
    ],
    ['has no type where null is allowed', { ...text, nullable: true, maxLength: 3 }, { maxLength: 3 }],
    ['has no fields where null is allowed', object({ a: text }, { nullable: true }), {}],
    ['has neither type nor fields where any is kept', object({ a: text }, free), free],
    ['keeps a list whose elements are anything', { type: 'array', items: free }, { type: 'array', items: free }],
    [
      'has no list of nothing',
      { type: 'array', 'x-kubernetes-list-type': 'atomic' },
      { 'x-kubernetes-list-type': 'atomic' },
    ],
    ['leaves numbers or texts untyped', int(true), { 'x-kubernetes-int-or-string': true }],
    ['is a text where built-in kinds have either', int(false), { type: 'string', format: 'int-or-string' }],
    [
      'does not require what may be null',
      object({ a: { ...text, nullable: true }, b: text }, { required: ['a', 'b'] }),
      object({ a: {}, b: text }, { required: ['b'] }),
    ],
    [
      'requires nothing rather than an empty list of fields',
      object({ a: { ...text, nullable: true } }, { required: ['a'] }),
      object({ a: {} }),
    ],
    [
      'converts what is inside lists and maps',
      { type: 'object', additionalProperties: { type: 'array', items: { ...text, default: 'x' } } },
      { type: 'object', additionalProperties: { type: 'array', items: text } },
    ],
    [
      'keeps additionalProperties: true',
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: true },
    ],
    [
      'keeps what merges go by',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' },
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' },
    ],
    [
      'refers to definitions, with what stands beside the reference',
      { description: 'd', allOf: [{ $ref: '#/components/schemas/a.B' }], default: {} },
      { description: 'd', $ref: '#/definitions/a.B' },
    ],
    [
      'asks nothing of an embedded resource that keeps any field',
      object({ kind: text }, { ...free, 'x-kubernetes-embedded-resource': true, required: ['kind', 'apiVersion'] }),
      { ...free, 'x-kubernetes-embedded-resource': true },
    ],
  ])('%s', (_rule, v3, v2) => {
    expect(swaggerSchema(v3)).toStrictEqual(v2)
  })

  it('takes fields for what they are, whatever they are called', () => {
    const names = ['default', 'nullable', 'items', 'properties', 'allOf', 'type']
    const v3 = object(Object.fromEntries(names.map((name) => [name, text])))
    expect(swaggerSchema(v3)).toStrictEqual(v3)
  })

  it('of a kind that keeps any field at its root says only which kind it is', () => {
    const gvk = { 'x-kubernetes-group-version-kind': [{ group: 'g', version: 'v', kind: 'K' }] }
    expect(swaggerKind({ ...object({ a: text }), ...free, ...gvk })).toStrictEqual({ type: 'object', ...gvk })
    expect(swaggerKind({ ...object({ a: text }), ...gvk })).toStrictEqual({ ...object({ a: text }), ...gvk })
  })

  it('never has what readers of v2 stop at, and leaves the schema it is made from alone', () => {
    fc.assert(
      fc.property(anySchema, (v3) => {
        const before = structuredClone(v3)
        const v2 = swaggerSchema(v3)
        expect(v3).toEqual(before)
        walk(v2)
        expect(swaggerSchema(v2)).toEqual(v2)
      }),
    )
  })
})

function int(custom: boolean): Schema {
  const either = [{ type: 'integer' }, { type: 'string' }]
  return custom ? { anyOf: either, 'x-kubernetes-int-or-string': true } : { oneOf: either, format: 'int-or-string' }
}

function walk(schema: Schema): void {
  for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'nullable', 'default']) expect(schema).not.toHaveProperty(key)
  if (schema.type === 'array') expect(schema.items).toBeTypeOf('object')
  if (schema.type === undefined) expect([schema.items, schema.properties]).toEqual([undefined, undefined])
  for (const inner of Object.values((schema.properties as Record<string, Schema>) ?? {})) walk(inner)
  if (schema.items) walk(schema.items as Schema)
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties as Schema)
}

const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'boolean'),
        nullable: fc.boolean(),
        default: fc.constant(1),
        oneOf: fc.constant([{ minimum: 1 }]),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'items'), tie('schema'), { maxKeys: 3 }),
        required: fc.subarray(['a', 'b']),
        nullable: fc.boolean(),
        'x-kubernetes-preserve-unknown-fields': fc.constant(true),
        'x-kubernetes-embedded-resource': fc.constant(true),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), nullable: fc.boolean() }, { requiredKeys: ['type'] }),
  ),
}))
