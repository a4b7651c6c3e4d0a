import { type MapType, METADATA_TYPE, type MergeType } from '@homeostat/meta/merge'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { mergeTypeOf } from './merge-type-of.ts'

const root = (spec: JsonSchema, more: JsonSchema = {}) => mergeTypeOf({ type: 'object', properties: { spec }, ...more })
const place = (schema: JsonSchema): MergeType | undefined => root(schema).field('spec')
const map = (schema: JsonSchema): MapType => {
  const type = place(schema)
  if (type?.kind !== 'map') throw new Error(`is ${type?.kind}`)
  return type
}
const OPEN = { 'x-kubernetes-preserve-unknown-fields': true }

describe('mergeTypeOf', () => {
  it('has apiVersion, kind and metadata whatever the schema says of them', () => {
    const type = root({ type: 'string' }, { properties: { metadata: { type: 'object' }, spec: { type: 'string' } } })
    expect(type.field('metadata')).toBe(METADATA_TYPE)
    expect(type.field('kind')).toEqual({ kind: 'scalar', scalar: 'string' })
    expect(type.names('apiVersion')).toBe(true)
    expect(type.field('unknown')).toBeUndefined()
    expect(mergeTypeOf({}).field('unknown')).toBeUndefined()
    expect(mergeTypeOf({ type: 'object', ...OPEN }).field('unknown')).toEqual({ kind: 'any' })
  })

  it.each<[JsonSchema, object]>([
    [{ type: 'string' }, { kind: 'scalar', scalar: 'string' }],
    [
      { type: 'string', format: 'byte' },
      { kind: 'scalar', scalar: 'string' },
    ],
    [{ type: 'string', format: 'date-time' }, { kind: 'scalar' }],
    [{ type: 'string', format: 'int-or-string' }, { kind: 'scalar' }],
    [{ type: 'integer' }, { kind: 'scalar', scalar: 'number' }],
    [{ type: 'number' }, { kind: 'scalar', scalar: 'number' }],
    [{ type: 'boolean' }, { kind: 'scalar', scalar: 'boolean' }],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, { kind: 'any' }],
    [{}, { kind: 'any' }],
    [OPEN, { kind: 'any' }],
    [{ type: 5 }, { kind: 'any' }],
  ])('reads %o', (schema, type) => expect(place(schema)).toEqual(type))

  it('knows the fields of an object by name, and others only where the schema lets them in', () => {
    const closed = map({ type: 'object', properties: { a: { type: 'string' } } })
    expect([closed.names('a'), closed.names('b'), closed.field('b'), closed.atomic]).toEqual([
      true,
      false,
      undefined,
      false,
    ])
    expect(closed.field('constructor')).toBeUndefined()
    const values = map({ type: 'object', additionalProperties: { type: 'integer' } })
    expect([values.names('b'), values.field('b')]).toEqual([false, { kind: 'scalar', scalar: 'number' }])
    const shut = map({ type: 'object', properties: { a: {} }, additionalProperties: false })
    expect(shut.field('b')).toBeUndefined()
    for (const schema of [{ type: 'object' }, { type: 'object', additionalProperties: true }]) {
      expect(map(schema).field('b')).toEqual({ kind: 'any' })
      expect(map(schema).loose).toBeUndefined()
    }
    expect(map({ type: 'object', 'x-kubernetes-map-type': 'atomic' }).atomic).toBe(true)
  })

  it('lets unknown fields in wherever a place above preserves them', () => {
    const open = map({
      type: 'object',
      ...OPEN,
      properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
    })
    expect(open.field('x')).toEqual({ kind: 'any' })
    const inner = open.field('a')
    expect(inner?.kind === 'map' && inner.field('x')).toEqual({ kind: 'any' })
    expect(inner?.kind === 'map' && inner.names('b')).toBe(true)
    const items = map({
      type: 'object',
      ...OPEN,
      properties: { l: { type: 'array', items: { type: 'object', properties: { b: {} } } } },
    }).field('l')
    expect(items?.kind === 'list' && items.items.kind === 'map' && items.items.field('x')).toEqual({ kind: 'any' })
  })

  it('takes anything but objects as a whole where a type is missing and fields are known', () => {
    const loose = map({ ...OPEN, properties: { a: { type: 'string' } } })
    expect([loose.loose, loose.names('a'), loose.field('b')]).toEqual([true, true, { kind: 'any' }])
    expect(map({ ...OPEN, 'x-kubernetes-map-type': 'atomic' })).toMatchObject({ loose: true, atomic: true })
  })

  it('gives embedded resources their metadata', () => {
    const embedded = map({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { metadata: { type: 'object' } },
    })
    expect(embedded.field('metadata')).toBe(METADATA_TYPE)
    expect([embedded.names('kind'), embedded.field('spec')]).toEqual([true, undefined])
    const open = map({ ...OPEN, type: 'object', 'x-kubernetes-embedded-resource': true })
    expect(open.field('spec')).toEqual({ kind: 'any' })
  })

  it.each<[JsonSchema, string, unknown[]]>([
    [{}, 'atomic', []],
    [{ 'x-kubernetes-list-type': 'atomic', 'x-kubernetes-patch-strategy': 'merge' }, 'atomic', []],
    [{ 'x-kubernetes-list-type': 'set' }, 'set', []],
    [
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b', 'a'] },
      'map',
      [{ name: 'b', default: 'x' }, { name: 'a' }],
    ],
    [{ 'x-kubernetes-list-type': 'map' }, 'set', []],
    [{ 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'a' }, 'map', [{ name: 'a' }]],
    [
      { 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-patch-merge-key': 'b' },
      'map',
      [{ name: 'b', default: 'x' }],
    ],
    [{ 'x-kubernetes-patch-strategy': 'merge' }, 'set', []],
    [{ 'x-kubernetes-patch-strategy': 'retainKeys' }, 'atomic', []],
  ])('tells the kind of a list by %o', (schema, list, keys) => {
    const items = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' } } }
    expect(place({ type: 'array', items, ...schema })).toMatchObject({ kind: 'list', list, keys })
  })

  it('keeps what strategic merge patches need', () => {
    const merged = place({ type: 'object', 'x-kubernetes-patch-strategy': 'replace,retainKeys' })
    expect(merged?.patch).toEqual({ merge: false, retainKeys: true, replace: true })
    expect(
      place({ type: 'string', 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'k' })?.patch,
    ).toEqual({
      merge: true,
      mergeKey: 'k',
      retainKeys: false,
      replace: false,
    })
  })

  it('compiles a schema that contains itself', () => {
    const schema: JsonSchema = { type: 'object', properties: {} }
    schema.properties = { child: schema }
    let type: MergeType | undefined = map(schema)
    for (let depth = 0; depth < 5; depth++) type = type?.kind === 'map' ? type.field('child') : undefined
    expect(type?.kind).toBe('map')
  })
})
