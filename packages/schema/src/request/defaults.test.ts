import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { compileSchema } from '../with-cel.ts'

const filled = (schema: JsonSchema, value: unknown) => {
  const object = { f: structuredClone(value) }
  compileSchema({ type: 'object', properties: { f: schema } }, { root: 'object' }).applyDefaults(object)
  return object.f
}
const one = { type: 'integer', default: 1 }
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'object', properties, ...more })

describe('defaults', () => {
  it.each<[string, JsonSchema, unknown, unknown]>([
    ['fill an absent field', object({ a: one }), {}, { a: 1 }],
    ['leave a field that is there', object({ a: one }), { a: 0 }, { a: 0 }],
    ['do not make a parent', object({ p: object({ a: one }) }), {}, {}],
    ['make a parent that has one', object({ p: object({ a: one }, { default: {} }) }), {}, { p: { a: 1 } }],
    ['fill items', { type: 'array', items: object({ a: one }) }, [{}, { a: 2 }], [{ a: 1 }, { a: 2 }]],
    ['fill map values', { type: 'object', additionalProperties: object({ a: one }) }, { k: {} }, { k: { a: 1 } }],
    ['replace a null that is not allowed', object({ a: one }), { a: null }, { a: 1 }],
    ['leave a null that is', object({ a: { ...one, nullable: true } }), { a: null }, { a: null }],
    ['drop a null without a default', object({ a: { type: 'string' } }), { a: null }, {}],
    ['drop it from maps', { type: 'object', additionalProperties: { type: 'string' } }, { a: null }, {}],
    ['replace nulls in lists', { type: 'array', items: one }, [null, 2], [1, 2]],
    [
      'fill what replaced a null',
      { type: 'object', additionalProperties: object({ a: one }, { default: {} }) },
      { k: null },
      { k: { a: 1 } },
    ],
    ['leave nulls in lists that have none', { type: 'array', items: { type: 'string' } }, [null], [null]],
    ['do not touch unknown fields', object({ a: one }), { b: { a: null } }, { b: { a: null }, a: 1 }],
    ['of null are none', object({ a: { type: 'string', nullable: true, default: null } }), {}, {}],
    ['do nothing to another type', object({ a: one }), 'text', 'text'],
    [
      'may be false, zero and empty',
      object({ a: { default: false }, b: { default: 0 }, c: { default: '' } }),
      {},
      { a: false, b: 0, c: '' },
    ],
    [
      'bring no metadata that no object has',
      object({
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          default: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', unknown: 'x' } },
        },
      }),
      {},
      { embedded: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } } },
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(filled(schema, value)).toEqual(expected)
  })

  it('are copied, so that two objects never share one', () => {
    const schema = compileSchema(object({ a: { type: 'object', default: { x: [1] } } }), { root: 'object' })
    const first: { a?: { x: number[] } } = {}
    const second: { a?: { x: number[] } } = {}
    schema.applyDefaults(first)
    schema.applyDefaults(second)
    first.a?.x.push(2)
    expect(second).toEqual({ a: { x: [1] } })
  })

  it('of a field called __proto__ make a plain field', () => {
    const schema = { type: 'object', properties: JSON.parse('{"__proto__":{"type":"object","default":{"x":1}}}') }
    const value: Record<string, unknown> = {}
    compileSchema(schema, { root: 'object' }).applyDefaults(value)
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}')
    expect(value.x).toBeUndefined()
  })

  it('are never filled into what a dropped null called __proto__ leaves behind', () => {
    const filled = { type: 'object', default: { x: 1 } }
    const schema = { type: 'object', additionalProperties: { type: 'object', properties: { polluted: filled } } }
    const value = JSON.parse('{"__proto__":null}')
    compileSchema(schema, { root: 'object' }).applyDefaults(value)
    const { polluted } = Object.prototype as { polluted?: unknown }
    delete (Object.prototype as { polluted?: unknown }).polluted
    expect(polluted).toBeUndefined()
    expect(Object.keys(value)).toEqual([])
  })
})
