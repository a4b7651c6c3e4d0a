import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { compileSchema } from '../with-cel.ts'

const keep = { 'x-kubernetes-preserve-unknown-fields': true }
const prune = (schema: JsonSchema, value: unknown) => {
  const object = { f: structuredClone(value) }
  const removed = compileSchema({ type: 'object', properties: { f: schema } }, { root: 'object' }).prune(object)
  return { value: object.f, removed }
}
const known = (...names: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

describe('pruning removes what the schema does not know', () => {
  it.each<[string, JsonSchema, unknown, unknown, string[]]>([
    ['fields', known('a'), { a: '1', b: 2 }, { a: '1' }, ['f.b']],
    ['fields of items', { type: 'array', items: known('a') }, [{ a: '1' }, { b: 2 }], [{ a: '1' }, {}], ['f[1].b']],
    ['all fields of an object without any', { type: 'object' }, { a: { b: 1 } }, {}, ['f.a']],
    [
      'fields of map values, with the key in the path',
      { type: 'object', additionalProperties: known('a') },
      { k: { a: '1', b: 2 } },
      { k: { a: '1' } },
      ['f.k.b'],
    ],
    [
      'nothing where unknown fields are preserved',
      { type: 'object', ...keep },
      { a: { b: [1] } },
      { a: { b: [1] } },
      [],
    ],
    [
      'inside known fields even there',
      { type: 'object', ...keep, properties: { a: known('x') } },
      { a: { x: '1', y: 2 }, b: { y: 2 } },
      { a: { x: '1' }, b: { y: 2 } },
      ['f.a.y'],
    ],
    [
      'inside map values even there',
      { type: 'object', ...keep, additionalProperties: known('x') },
      { a: { y: 2 } },
      { a: {} },
      ['f.a.y'],
    ],
    [
      'nothing of items where the list preserves unknown fields',
      { type: 'array', ...keep, items: { type: 'object', properties: { a: known('x') } } },
      [{ b: 1, a: { x: '1', y: 2 } }],
      [{ b: 1, a: { x: '1' } }],
      ['f[0].a.y'],
    ],
    ['nothing of scalar maps', { type: 'object', additionalProperties: true }, { a: 1 }, { a: 1 }, []],
    ['nothing of int-or-string', { 'x-kubernetes-int-or-string': true }, '5%', '5%', []],
    [
      'what an embedded resource does not know, but never its metadata',
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: known('a') } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } }, spec: { a: '1', b: 2 }, extra: 1 },
      { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } }, spec: { a: '1' } },
      ['f.extra', 'f.spec.b'],
    ],
    [
      'what metadata of an embedded resource does not have',
      { type: 'object', 'x-kubernetes-embedded-resource': true, ...keep },
      { kind: 'Pod', metadata: { name: 'a', foo: 1, creationTimestamp: null }, extra: 1 },
      { kind: 'Pod', metadata: { name: 'a' }, extra: 1 },
      ['f.metadata.foo'],
    ],
    [
      'nothing of malformed metadata, which validation refuses',
      { type: 'object', 'x-kubernetes-embedded-resource': true, ...keep },
      { metadata: { name: 5, foo: 1 } },
      { metadata: { name: 5, foo: 1 } },
      [],
    ],
    ['nothing of values of another type', known('a'), 'text', 'text', []],
  ])('%s', (_, schema, value, expected, removed) => {
    expect(prune(schema, value)).toEqual({ value: expected, removed })
  })

  it('fields called like those of Object.prototype', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"a":"1"}')
    const { removed } = { removed: compileSchema(known('a'), { root: 'object' }).prune(value) }
    expect(removed).toEqual(['__proto__', 'constructor'])
    expect(Object.keys(value)).toEqual(['a'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('but keeps __proto__ where it is known, as a plain field', () => {
    const value = JSON.parse('{"__proto__":{"a":"1","b":2}}')
    const schema = { type: 'object', properties: JSON.parse('{"__proto__":{"type":"object","properties":{"a":{}}}}') }
    expect(compileSchema(schema, { root: 'object' }).prune(value)).toEqual(['__proto__.b'])
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":"1"}}')
  })
})
