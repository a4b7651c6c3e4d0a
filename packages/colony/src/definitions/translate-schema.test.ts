import { expect, it } from 'vitest'
import { type Schema, SchemaProblem, translateSchema } from './translate-schema.ts'

const KEEP = { 'x-kubernetes-preserve-unknown-fields': true }

const table: readonly (readonly [what: string, schema: unknown, structural: Schema])[] = [
  ['an object keeps what it does not know', { type: 'object' }, { type: 'object', ...KEEP }],
  ['unless it says otherwise', { type: 'object', additionalProperties: false }, { type: 'object' }],
  [
    'at every level',
    { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'array' } } } } },
    {
      type: 'object',
      ...KEEP,
      properties: { a: { type: 'object', ...KEEP, properties: { b: { type: 'array', items: KEEP } } } },
    },
  ],
  [
    'a strict object in a free one',
    { type: 'object', properties: { a: { properties: { b: {} }, additionalProperties: false } } },
    { type: 'object', ...KEEP, properties: { a: { type: 'object', properties: { b: KEEP } } } },
  ],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  [
    'a map with known fields is free',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    { type: 'object', ...KEEP, properties: { a: { type: 'string' } } },
  ],
  [
    'required of a field',
    { type: 'object', required: ['b'], properties: { a: { type: 'string', required: true }, b: { required: false } } },
    { type: 'object', ...KEEP, required: ['b', 'a'], properties: { a: { type: 'string' }, b: KEEP } },
  ],
  ['null beside a type', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  ['a number or a text', { type: ['integer', 'string'] }, { 'x-kubernetes-int-or-string': true }],
  ['no type, by its values', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  ['no type, by its keywords', { minLength: 1 }, { type: 'string', minLength: 1 }],
  ['no type at all', { description: 'any' }, { description: 'any', ...KEEP }],
  ['a schema that is true', true, KEEP],
  ['a constant', { const: 3 }, { type: 'number', enum: [3] }],
  [
    'bounds of newer drafts',
    { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 },
  ],
  [
    'items that differ',
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  ],
  ['remarks go', { $schema: 'x', $id: 'y', title: 't', type: 'string' }, { type: 'string' }],
  [
    'what has no structural form stays for the server to refuse',
    { type: 'object', properties: { a: { $ref: '#/definitions/a' } } },
    { type: 'object', ...KEEP, properties: { a: { $ref: '#/definitions/a', ...KEEP } } },
  ],
]

it.each(table)('%s', (_, schema, structural) => {
  expect(translateSchema(schema)).toEqual(structural)
})

it.each([
  ['two types', { properties: { a: { type: ['string', 'object'] } } }, 'spec.schema.properties[a].type'],
  ['a schema that is false', { properties: { a: false } }, 'spec.schema.properties[a]'],
  ['a schema that is a text', { items: 'string' }, 'spec.schema.items'],
  ['a type that is a number', { type: 3 }, 'spec.schema.type'],
])('says where there is %s', (_, schema, where) => {
  expect(() => translateSchema(schema)).toThrow(SchemaProblem)
  expect(() => translateSchema(schema)).toThrow(`${where}:`)
})
