// What must hold for every sequence of applies and updates, and for objects that mean harm.

import { cpuMs } from '@homeostat/base/testing/cpu-time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from '../json/read-json.ts'
import { writeJson } from '../json/write-json.ts'
import type { KubeObject } from '../object/object.ts'
import { app, by, setsOf, specOf, types } from './app.fixture.ts'
import { appliedFields } from './applied-fields.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { createdFields } from './created-fields.ts'
import { contains, type FieldSet, union } from './field-set.ts'
import type { ManagedFieldsEntry } from './managed-entry.ts'
import { withoutUnowned } from './object-fields.ts'
import { updatedFields } from './updated-fields.ts'

const word = fc.constantFrom('x', 'y', 'z', 'a<b', '😀')
const name = fc.constantFrom('a', 'b', 'constructor', '\uffff')
const port = fc.record(
  { port: fc.constantFrom(80, 443), protocol: fc.constantFrom('TCP', 'UDP'), name: word },
  { requiredKeys: ['port'] },
)
const spec = fc.record(
  {
    image: word,
    replicas: fc.oneof(fc.nat(2), fc.constant(9007199254740993n)),
    nested: fc.record({ depth: fc.nat(2), width: fc.nat(2) }, { requiredKeys: [] }),
    whole: fc.record({ a: fc.nat(1), b: fc.nat(1) }),
    config: fc.dictionary(name, word, { noNullPrototype: true }),
    // An empty list with keys, or set, is owned by nobody: Kubernetes takes it out and puts it back in turns.
    tags: fc.uniqueArray(word, { minLength: 1 }),
    args: fc.array(word, { maxLength: 2 }),
    ports: fc.uniqueArray(port, { minLength: 1, selector: (one) => `${one.port}${one.protocol ?? 'TCP'}` }),
    free: fc.dictionary(name, fc.oneof(word, fc.array(word, { maxLength: 1 }), fc.record({ deep: word })), {
      noNullPrototype: true,
    }),
  },
  // Without anything that can be owned, an apply leaves no entry, and the next one is the first again.
  { requiredKeys: ['image'] },
)
const step = fc.record({ manager: fc.constantFrom('m1', 'm2', 'm3'), spec })

const run = (steps: readonly { manager: string; spec: object }[]): KubeObject | undefined => {
  let live: KubeObject | undefined
  for (const { manager, spec } of steps) live = applyConfiguration(live, app(spec), by(manager, { force: true }), types)
  return live
}
const entriesOf = (object: KubeObject | undefined) => (object?.metadata.managedFields ?? []) as ManagedFieldsEntry[]

describe('apply', () => {
  it('done twice changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3 }), step, (before, { manager, spec }) => {
        const once = run([...before, { manager, spec }]) as KubeObject
        expect(
          applyConfiguration(
            once,
            app(structuredClone(spec)),
            by(manager, { force: true, time: '2027-01-01T00:00:00Z' }),
            types,
          ),
        ).toBe(once)
      }),
    )
  })

  it('makes its manager the owner of all that it applied, and others keep no more than what is there', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
        const live = run(steps)
        const last = steps.at(-1)
        const claimed = withoutUnowned(appliedFields(types.typeOf(), app(last?.spec ?? {})))
        expect(setsOf(live)[last?.manager ?? ''] ?? {}).toEqual(claimed)
        const all = entriesOf(live).reduce<FieldSet>((sum, entry) => union(sum, entry.fieldsV1 ?? {}), {})
        expect(contains(all, claimed)).toBe(true)
      }),
    )
  })

  it('of what one manager owns alone leaves nothing when the manager gives it up; shared fields stay', () => {
    fc.assert(
      fc.property(spec, spec, (mine, theirs) => {
        const alone = run([
          { manager: 'm1', spec: mine },
          { manager: 'm1', spec: {} },
        ])
        const left = { ...specOf(alone as KubeObject) }
        // A container that was applied empty is all that its manager can have left.
        for (const key of Object.keys(left)) expect(JSON.stringify(left[key])).toMatch(/^(\[\]|\{\}|null)$/)
        const shared = run([
          { manager: 'm2', spec: theirs },
          { manager: 'm1', spec: theirs },
          { manager: 'm1', spec: mine },
          { manager: 'm1', spec: {} },
        ])
        const kept = run([
          { manager: 'm2', spec: theirs },
          { manager: 'm1', spec: mine },
        ])
        for (const key of ['image', 'replicas', 'whole'] as const) {
          const value = specOf(shared as KubeObject)[key]
          expect([specOf(kept as KubeObject)[key], undefined]).toContainEqual(value)
        }
      }),
    )
  })

  it('writes sets that are read back as they were', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
        const fields = entriesOf(run(steps))
        const text = writeJson(fields)
        const sent = app({}, { managedFields: readJson(text).value })
        const live = app({})
        expect(writeJson(updatedFields(live, sent, by('x'), types) ?? [])).toBe(text)
      }),
    )
  })
})

describe('objects that mean harm', () => {
  const all = (spec: object) => {
    const object = app(spec)
    expect(createdFields(object, by('m'), types)).toBeTypeOf('string')
    const managedFields = updatedFields(undefined, object, by('m'), types) ?? []
    const live = { ...object, metadata: { name: 'a', managedFields } }
    updatedFields(live, structuredClone(live), by('n'), types)
    const next = applyConfiguration(live, structuredClone(object), by('n'), types)
    return applyConfiguration(next, app({}), by('n'), types)
  }

  it('may be nested deeply', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 900; level++) deep = { a: deep }
    expect(specOf(all({ free: deep })).free).toEqual(deep)
  })

  it('may have very many items and fields', () => {
    const many = Array.from({ length: 18_000 }, (_, index) => index)
    const used = cpuMs(() => {
      all({ tags: many.map((index) => `t${index}`).reverse(), numbers: many })
      all({ ports: many.slice(0, 12_000).map((port) => ({ port, protocol: port % 2 === 0 ? 'TCP' : 'UDP' })) })
      all({ free: Object.fromEntries(many.map((index) => [`k${index}`, index])) })
    })
    // Far from what anything quadratic would need.
    expect(used).toBeLessThan(60_000)
  })

  it('may not have more items of a list applied than can be stored with their owners', () => {
    const tags = Array.from({ length: 18_001 }, (_, index) => `t${index}`)
    expect(() => applyConfiguration(undefined, app({ tags }), by('m'), types)).toThrow(
      'an apply owns each of the 18001 items of a list, the limit is 18000',
    )
  })

  it('get some of their many mistakes', () => {
    const tags = Array.from({ length: 10_000 }, () => 'same')
    expect(() => applyConfiguration(undefined, app({ tags }), by('m'), types)).toThrow(/^[^\n]*(\n[^\n]*){200}$/)
  })

  it('may have more items than can be stored, and then nobody owns them', () => {
    const many = Array.from({ length: 15_000 }, (_, port) => ({ port, protocol: 'TCP' }))
    expect(createdFields(app({ ports: many.slice(0, 12_000) }), by('m'), types)).toContain('k:{')
    expect(createdFields(app({ ports: many }), by('m'), types)).toBeUndefined()
  })

  it('may use names that mean something to us', () => {
    const free = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 2}, "toString": "x", ".": 1, "f:x": {}}')
    const done = all({ free })
    expect(JSON.stringify(specOf(done).free)).toBe(JSON.stringify(free))
    expect(({} as { a?: number }).a).toBeUndefined()
    const live = applyConfiguration(undefined, app({ config: {} }), by('m'), types)
    const next = applyConfiguration(live, app({ config: { constructor: 'x', hasOwnProperty: 'y' } }), by('m'), types)
    expect(specOf(next).config).toEqual({ constructor: 'x', hasOwnProperty: 'y' })
  })
})
