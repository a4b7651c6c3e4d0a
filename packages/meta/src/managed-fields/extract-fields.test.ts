import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object/object.ts'
import { app, by, setsOf, specOf, types } from './app.fixture.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { type AbsentField, extractFields } from './extract-fields.ts'
import type { FieldSet } from './field-set.ts'

const owned = (object: KubeObject, manager: string) =>
  extractFields(object, (setsOf(object)[manager] ?? {}) as FieldSet)
const apply = (live: KubeObject | undefined, manager: string, spec: object, metadata: object = {}) =>
  applyConfiguration(live, app(spec, metadata), by(manager, { force: true }), types)

describe('extractFields', () => {
  it('takes fields, and leaves those of others', () => {
    const live = apply(apply(undefined, 'a', { image: 'x', nested: { depth: 1 } }), 'b', { nested: { width: 2 } })
    expect(owned(live, 'a')).toEqual({ spec: { image: 'x', nested: { depth: 1 } } })
    expect(owned(live, 'b')).toEqual({ spec: { nested: { width: 2 } } })
  })

  it('tells what the set names and the object does not have', () => {
    const fields = {
      'f:data': {},
      'f:spec': {
        'f:none': {},
        'f:there': {},
        'f:nested': { 'f:deep': {} },
        'f:env': { 'k:{"name":"b"}': { 'f:name': {}, 'f:value': {} } },
      },
    }
    const env = [{ name: 'a' }, { name: 'b' }]
    const absent: AbsentField[] = []
    expect(extractFields({ data: null, spec: { there: 0, nested: {}, env } }, fields, absent)).toEqual({
      data: null,
      spec: { there: 0, nested: {}, env: [{ name: 'b' }] },
    })
    expect(absent).toEqual([['data'], ['spec', 'none'], ['spec', 'nested', 'deep'], ['spec', 'env', 0, 'value']])
  })

  it('takes items of lists with keys, in their order, with their own fields only', () => {
    const mine = { ports: [{ port: 443, name: 'tls', protocol: 'TCP' }, { port: 80 }] }
    const theirs = {
      ports: [
        { port: 80, name: 'web' },
        { port: 53, protocol: 'UDP' },
      ],
    }
    const live = apply(apply(undefined, 'a', mine), 'b', theirs)
    expect(specOf(live).ports).toHaveLength(3)
    expect(owned(live, 'a')).toEqual({ spec: mine })
    expect(owned(live, 'b')).toEqual({ spec: theirs })
  })

  it('leaves out a key field that got its value from a default', () => {
    const live = apply(undefined, 'a', { ports: [{ port: 80, name: 'web' }] })
    const defaulted = { ...live, spec: { ports: [{ port: 80, name: 'web', protocol: 'TCP' }] } }
    expect(owned(defaulted, 'a')).toEqual({ spec: { ports: [{ port: 80, name: 'web' }] } })
  })

  it('keeps all key fields of an item of which only another field is named', () => {
    const object = { spec: { ports: [{ port: 80, protocol: 'UDP', name: 'x' }, { port: 81 }] } }
    const set: FieldSet = { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"UDP"}': { 'f:name': {} } } } }
    expect(extractFields(object, set)).toEqual({ spec: { ports: [{ port: 80, protocol: 'UDP', name: 'x' }] } })
  })

  it('takes values of sets and items by their place', () => {
    const object = { tags: ['a', 'b', 1, 'c'], places: ['x', 'y'] }
    const set: FieldSet = { 'f:tags': { 'v:"c"': {}, 'v:1': {} }, 'f:places': { 'i:1': {} } }
    expect(extractFields(object, set)).toEqual({ tags: [1, 'c'], places: ['y'] })
  })

  it('leaves out what is not there any more, or is something else', () => {
    const set: FieldSet = { 'f:spec': { 'f:gone': {}, 'f:map': { 'f:a': {} }, 'f:list': { 'k:{"name":"a"}': {} } } }
    expect(extractFields({ spec: { map: 'text', list: [1, { name: 'b' }] } }, set)).toEqual({ spec: { list: [] } })
    expect(extractFields({ spec: { map: null } }, set)).toEqual({ spec: {} })
    expect(extractFields({ spec: {} }, {})).toEqual({})
  })

  it('takes metadata without what identifies the object', () => {
    const live = apply(undefined, 'a', { image: 'x' }, { labels: { l: '1' }, annotations: { 'a.b/c': 'd' } })
    expect(owned(live, 'a').metadata).toEqual({ labels: { l: '1' }, annotations: { 'a.b/c': 'd' } })
  })

  it('knows no names of its own', () => {
    const free = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 2}, ".": 1, "f:x": {}}')
    const live = apply(undefined, 'a', { free })
    expect(JSON.stringify(owned(live, 'a'))).toContain('"__proto__":{"a":1}')
    expect(({} as { a?: number }).a).toBeUndefined()
    expect(extractFields({}, { 'f:toString': {} })).toEqual({})
  })
})

const word = fc.constantFrom('x', 'y', 'z', 'a<b', '😀')
const name = fc.constantFrom('a', 'b', 'constructor', '\uffff', '.', 'f:a')
const port = fc.record(
  {
    port: fc.constantFrom(80, 443, 1e21),
    protocol: fc.constantFrom('TCP', 'UDP'),
    name: word,
    options: fc.dictionary(name, word, { noNullPrototype: true, maxKeys: 2 }),
  },
  { requiredKeys: ['port'] },
)
const spec = fc.record(
  {
    image: word,
    replicas: fc.oneof(fc.nat(2), fc.constant(9007199254740993n)),
    nested: fc.record({ depth: fc.nat(2), width: fc.nat(2) }, { requiredKeys: [] }),
    whole: fc.record({ a: fc.nat(1), b: fc.nat(1) }, { requiredKeys: [] }),
    config: fc.dictionary(name, word, { noNullPrototype: true }),
    tags: fc.uniqueArray(word, { minLength: 1 }),
    numbers: fc.uniqueArray(fc.nat(3), { minLength: 1 }),
    args: fc.array(word, { maxLength: 2 }),
    ports: fc.uniqueArray(port, { minLength: 1, selector: (one) => `${one.port}${one.protocol ?? 'TCP'}` }),
    free: fc.dictionary(name, fc.oneof(word, fc.array(word, { maxLength: 1 }), fc.record({ deep: word })), {
      noNullPrototype: true,
    }),
  },
  { requiredKeys: ['image'] },
)

describe('what an apply owns', () => {
  it('is what was applied, for a new object', () => {
    fc.assert(
      fc.property(spec, (mine) => {
        expect(owned(apply(undefined, 'm', mine), 'm')).toEqual({ spec: mine })
      }),
    )
  })

  it('is what was applied, whatever others applied to other fields before and after', () => {
    const parts = fc.uniqueArray(fc.constantFrom(...Object.keys(specKeys)), { maxLength: 5 })
    fc.assert(
      fc.property(spec, spec, parts, (mine, theirs, names) => {
        const only = (from: object, wanted: boolean) =>
          Object.fromEntries(Object.entries(from).filter(([key]) => names.includes(key) === wanted))
        const config = { image: mine.image, ...only(mine, true) }
        const other = only(theirs, false)
        delete (other as { image?: unknown }).image
        const live = apply(apply(apply(undefined, 'n', other), 'm', config), 'n', other)
        expect(owned(live, 'm')).toEqual({ spec: config })
      }),
    )
  })
})

const specKeys = { replicas: 0, nested: 0, whole: 0, config: 0, tags: 0, args: 0, ports: 0, free: 0 }
