import { describe, expect, it } from 'vitest'
import { maxRequestBytes } from '../limits.ts'
import { escapeFieldName } from './field-name.ts'
import { maxCardinality, schemaType } from './schema-type.ts'

describe('schemaType', () => {
  it('gives objects the fields of the schema under their escaped names', () => {
    const type = schemaType({
      type: 'object',
      properties: { 'foo-bar': { type: 'string' }, namespace: { type: 'integer' }, '': { type: 'string' }, free: {} },
    })
    expect([...(type?.fields?.keys() ?? [])]).toEqual(['foo__dash__bar', '__namespace__'])
    expect(type?.fields?.get('foo__dash__bar')?.key).toBe('foo-bar')
  })

  it('bounds sizes by the schema, and otherwise by the size of a request', () => {
    const max = (schema: unknown) => schemaType(schema)?.maxElements
    expect(max({ type: 'string', maxLength: 10 })).toBe(40)
    expect(max({ type: 'string', format: 'byte', maxLength: 10 })).toBe(10)
    expect(max({ type: 'string', enum: ['a', 'four'] })).toBe(4)
    expect(max({ type: 'string' })).toBe(maxRequestBytes - 2)
    expect(max({ type: 'string', format: 'date-time', maxLength: 5 })).toBe(32)
    expect(max({ type: 'array', maxItems: 7, items: { type: 'string' } })).toBe(7)
    expect(max({ type: 'array', items: { type: 'string' } })).toBe(Math.floor((maxRequestBytes - 2) / 3))
    expect(max({ type: 'object', additionalProperties: { type: 'boolean' } })).toBe(
      Math.floor((maxRequestBytes - 2) / 10),
    )
    expect(max({ type: 'integer' })).toBe(0)
    expect(max({ 'x-kubernetes-int-or-string': true, maxLength: 3 })).toBe(12)
  })

  it('counts required fields without a default into the shortest text of an object', () => {
    const type = schemaType({
      type: 'object',
      required: ['ab', 'c'],
      properties: { ab: { type: 'integer' }, c: { type: 'string', default: 'x' }, d: { type: 'string' } },
    })
    expect(type?.minSerializedSize).toBe(2 + 2 + 1 + 4)
    expect(type && maxCardinality(type)).toBe(Math.floor(maxRequestBytes / 10))
  })

  it('knows the type and the names of a resource without being told', () => {
    const type = schemaType({ type: 'object', properties: { metadata: { type: 'object' } } }, { resource: true })
    expect([...(type?.fields?.keys() ?? [])].sort()).toEqual(['apiVersion', 'kind', 'metadata'])
    expect([...(type?.fields?.get('metadata')?.type.fields?.keys() ?? [])]).toEqual(['name', 'generateName'])
  })

  it.each([{}, { type: 'array' }, { type: 'array', items: {} }, { type: 'unheard-of' }, null, 'text', 7])(
    'has no type for %j',
    (schema) => {
      expect(schemaType(schema)).toBeUndefined()
    },
  )
})

describe('escapeFieldName', () => {
  it.each([
    ['plain', 'plain'],
    ['a_b', 'a_b'],
    ['a__b', 'a__underscores__b'],
    ['a.b', 'a__dot__b'],
    ['a/b', 'a__slash__b'],
    ['in', '__in__'],
    ['1a', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('%s is %s', (name, escaped) => expect(escapeFieldName(name)).toBe(escaped))
})
