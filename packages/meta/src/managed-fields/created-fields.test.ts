import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeJson } from '../json/write-json.ts'
import { app, appType, by, types } from './app.fixture.ts'
import { createdFields } from './created-fields.ts'
import { ODD } from './odd-text.fixture.ts'
import { updatedFields } from './updated-fields.ts'

const created = (spec: object, metadata?: object, write: object = {}) =>
  JSON.parse(createdFields(app(spec, metadata), by('maker', write), types) ?? 'null')

describe('createdFields', () => {
  it('is one entry of everything that is in the object, with its containers', () => {
    expect(created({ tags: ['b', 'a'], config: { x: '1' }, whole: { a: 1 }, args: ['1'], nested: {} })).toEqual([
      {
        manager: 'maker',
        operation: 'Update',
        apiVersion: 'e.com/v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            '.': {},
            'f:args': {},
            'f:config': { '.': {}, 'f:x': {} },
            'f:nested': {},
            'f:tags': { '.': {}, 'v:"a"': {}, 'v:"b"': {} },
            'f:whole': {},
          },
        },
      },
    ])
  })

  it('never owns what identifies the object or is kept by the server', () => {
    const metadata = { uid: 'u', namespace: 'n', generation: 1, resourceVersion: '1', creationTimestamp: null }
    expect(created({}, { ...metadata, labels: { a: 'b' } })[0].fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': {},
    })
    const { spec: _, ...bare } = app({}, metadata)
    expect(createdFields(bare as never, by('maker'), types)).toBeUndefined()
  })

  it('leaves reset fields out, names the subresource, and calls nobody unknown', () => {
    const [entry] = created(
      { image: 'x', nested: { depth: 1, width: 2 } },
      {},
      {
        reset: [
          ['spec', 'nested', 'depth'],
          ['spec', 'image'],
        ],
        subresource: 'status',
        manager: '',
      },
    )
    expect(entry.fieldsV1).toEqual({ 'f:spec': { '.': {}, 'f:nested': { '.': {}, 'f:width': {} } } })
    expect([entry.manager, entry.subresource]).toEqual(['unknown', 'status'])
  })

  it('knows items by their keys, with defaults; of items that are there twice only that they are', () => {
    const ports = [{ port: 443 }, { port: 80, protocol: 'UDP' }, { port: 80 }, { port: 443, protocol: 'TCP' }]
    expect(Object.entries(created({ ports })[0].fieldsV1['f:spec']['f:ports'])).toEqual([
      ['.', {}],
      ['k:{"port":80,"protocol":"TCP"}', { '.': {}, 'f:port': {} }],
      ['k:{"port":80,"protocol":"UDP"}', { '.': {}, 'f:port': {}, 'f:protocol': {} }],
      ['k:{"port":443,"protocol":"TCP"}', {}],
    ])
  })

  it('tracks nothing when items cannot be distinguished', () => {
    expect(created({ tags: [null] })).toBeNull()
    expect(created({ ports: [5] })).toBeNull()
  })

  it('writes the very text of the set that an update over nothing makes', () => {
    const name = fc.oneof(fc.string({ unit: ODD, maxLength: 3 }), fc.constantFrom('__proto__', 'constructor', 'a'))
    const scalar = fc.oneof(fc.string({ unit: ODD, maxLength: 4 }), fc.integer(), fc.boolean())
    const free = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.constant(null),
        fc.array(tie('value')),
        fc.array(fc.tuple(name, tie('value'))).map((pairs) => Object.fromEntries(pairs)),
      ),
    })).value
    const spec = fc.record(
      {
        free,
        tags: fc.array(fc.string({ unit: ODD, maxLength: 3 })),
        numbers: fc.array(fc.integer()),
        config: fc.dictionary(name, fc.string(), { noNullPrototype: true }),
        ports: fc.array(
          fc.record({ port: fc.nat(5), protocol: fc.constantFrom('TCP', 'UDP', 'S<') }, { requiredKeys: ['port'] }),
        ),
        nested: fc.constantFrom(null, {}, { depth: 1 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(spec, fc.constantFrom([], [['status']], [['spec', 'config']]), (value, reset) => {
        const write = by('maker', { reset })
        const fields = updatedFields(undefined, app(value), write, types)
        expect(createdFields(app(value), write, types)).toBe(fields && writeJson(fields))
      }),
    )
  })

  it('says the same of objects that look alike as of each alone', () => {
    const few = fc.constantFrom(1, 2)
    const word = fc.constantFrom('a', 'b')
    const free = fc.constantFrom(null, 1, [1], {}, { a: 1 }, { a: { b: 2 } }, { a: null }, [{ a: 1 }])
    const port = fc.record({ port: few, protocol: word, name: word }, { requiredKeys: ['port'] })
    const tags = fc.constantFrom(null, ['a'], ['b'], ['a', 'b'], ['b', 'a'], [null], {}, 'a')
    const ports = fc.oneof(fc.array(port, { maxLength: 2 }), fc.constantFrom(null, 'a', [7]))
    const config = fc.dictionary(word, word, { noNullPrototype: true })
    const twice = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one)
    const specs = fc.oneof(
      twice(fc.record({ image: word, free })),
      twice(fc.record({ nested: fc.constantFrom(null, {}, { depth: 1 }, { width: 1 }, [1], 7) })),
      twice(fc.record({ tags })),
      twice(fc.record({ tags: fc.tuple(word) })),
      twice(fc.record({ ports })),
      twice(fc.record({ ports: fc.tuple(fc.record({ port: few, name: word })) })),
      twice(fc.record({ config, whole: free, args: tags }, { requiredKeys: [] })),
    )
    const metadata = fc.oneof({ arbitrary: fc.constant({}), weight: 4 }, fc.record({ labels: config }))
    const write = fc.record({
      manager: fc.constantFrom('m1', 'm2'),
      time: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'),
      subresource: fc.constantFrom(undefined, 'status'),
    })
    const reset = fc.constantFrom<string[][][]>([], [['spec', 'image']], [['spec']])
    const resets = fc.oneof(
      reset.map((one) => [one, one] as const),
      twice(reset),
    )
    fc.assert(
      fc.property(specs, twice(metadata), twice(write), resets, (specs, metadata, writes, resets) => {
        const type = appType()
        for (const at of [0, 1] as const) {
          const { manager, ...more } = writes[at]
          const [object, who] = [app(specs[at], metadata[at]), by(manager, { ...more, reset: resets[at] })]
          const alone = createdFields(object, who, { ...types, typeOf: () => appType() })
          expect(createdFields(object, who, { ...types, typeOf: () => type })).toBe(alone)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
