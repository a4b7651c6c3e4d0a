import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object/object.ts'
import { app, appType, by, listOf, SPEC_FIELDS, setsOf, specOf, types } from './app.fixture.ts'
import type { ManagedFieldsEntry } from './managed-entry.ts'
import { updatedFields } from './updated-fields.ts'

const LATER = '2026-01-02T00:00:00Z'

const create = (object: KubeObject, manager = 'maker'): KubeObject =>
  owned(object, updatedFields(undefined, object, by(manager), types))
const owned = (object: KubeObject, managedFields: ManagedFieldsEntry[] | undefined): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...(managedFields && { managedFields }) },
})
const change = (live: KubeObject, spec: object): KubeObject => ({ ...live, spec: { ...specOf(live), ...spec } })

describe('updatedFields', () => {
  const live = create(app({ image: 'x', replicas: 1, tags: ['a'], config: { k: 'v' } }))
  const list = live.metadata.managedFields

  it('gives what was changed to the writer and takes it from everybody else', () => {
    const fields = updatedFields(
      live,
      change(live, { replicas: 2, tags: ['a', 'b'] }),
      by('other', { time: LATER }),
      types,
    )
    expect(setsOf(fields)).toEqual({
      maker: {
        'f:spec': {
          '.': {},
          'f:config': { '.': {}, 'f:k': {} },
          'f:image': {},
          'f:tags': { '.': {}, 'v:"a"': {} },
        },
      },
      other: { 'f:spec': { 'f:replicas': {}, 'f:tags': { 'v:"b"': {} } } },
    })
    expect(fields?.map(({ time }) => time)).toEqual(['2026-01-01T00:00:00Z', LATER])
  })

  it('takes what is gone from everybody, and gives it to nobody', () => {
    const fields = updatedFields(live, app({ image: 'x', tags: ['a'] }, { managedFields: list }), by('other'), types)
    expect(setsOf(fields)).toEqual({
      maker: { 'f:spec': { '.': {}, 'f:image': {}, 'f:tags': { '.': {}, 'v:"a"': {} } } },
    })
  })

  it('returns the live list itself when nothing changed, even for a copy of everything', () => {
    expect(updatedFields(live, live, by('other'), types)).toBe(list)
    expect(updatedFields(live, structuredClone(live), by('other', { time: LATER }), types)).toBe(list)
    const status = { ...live, status: { phase: 'x' } }
    expect(updatedFields(live, status, by('other', { reset: [['status']] }), types)).toBe(list)
  })

  it('renews the time of a writer that changes what it owns already', () => {
    const fields = updatedFields(live, change(live, { replicas: 2 }), by('maker', { time: LATER }), types)
    expect(fields).toEqual([{ ...(list?.[0] as object), time: LATER }])
  })

  it('tells the same manager apart by version, subresource and operation', () => {
    const status = { ...live, status: { phase: 'x' } }
    const fields = updatedFields(live, status, by('maker', { subresource: 'status', reset: [['spec']] }), types)
    expect(fields?.map(({ manager, subresource }) => [manager, subresource])).toEqual([
      ['maker', undefined],
      ['maker', 'status'],
    ])
    const v2 = updatedFields(
      { ...live, apiVersion: 'e.com/v2' },
      { ...change(live, { replicas: 3 }), apiVersion: 'e.com/v2' },
      by('maker', { apiVersion: 'e.com/v2' }),
      types,
    )
    expect(v2?.map(({ apiVersion }) => apiVersion)).toEqual(['e.com/v1', 'e.com/v2'])
  })

  it('keeps the live entries when the client sends none or nonsense, and takes those that it sends', () => {
    const sent = (managedFields: unknown) => ({ ...live, metadata: { ...live.metadata, managedFields } }) as KubeObject
    expect(updatedFields(live, sent(undefined), by('other'), types)).toBe(list)
    for (const bad of [
      { operation: 'Bad' },
      { operation: 'Apply', apiVersion: 'v1' },
      { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2' },
      { operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { spec: {} } },
    ]) {
      expect(updatedFields(live, sent([bad]), by('other'), types)).toBe(list)
    }
    const entry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: 'e.com/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:b': {}, 'x:?': {}, 'f:a': { '.': {} } } },
    }
    expect(updatedFields(live, sent([entry]), by('other'), types)).toEqual([
      { ...entry, fieldsV1: { 'f:spec': { 'f:a': {}, 'f:b': {} } } },
    ])
    expect(updatedFields(live, sent([entry]), by('other', { subresource: 'status' }), types)).toBe(list)
  })

  it('puts entries in order: appliers, then by second and name, whatever form their times have', () => {
    const entry = (manager: string, operation: string, time?: string) => ({
      manager,
      operation,
      apiVersion: 'e.com/v1',
      ...(time && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:status': {} },
    })
    const managedFields = [
      entry('d', 'Update', '2026-01-01T00:00:02Z'),
      entry('c', 'Update', '2026-01-01T01:00:01.5+01:00'),
      entry('b', 'Update', '2026-01-01T00:00:01Z'),
      entry('e', 'Update'),
      entry('z', 'Apply', '2026-01-01T00:00:09Z'),
    ]
    const sent = { ...live, metadata: { name: 'a', managedFields } }
    expect(updatedFields(live, sent, by('w'), types)?.map(({ manager }) => manager)).toEqual(['z', 'e', 'b', 'c', 'd'])
  })

  it('forgets everything with [] or [{}], and does not begin again in the middle', () => {
    for (const reset of [[], [{}]]) {
      const next = { ...change(live, { replicas: 5 }), metadata: { name: 'a', managedFields: reset } }
      expect(updatedFields(live, next, by('other'), types)).toBeUndefined()
    }
    const untracked = app({ image: 'x' })
    expect(updatedFields(untracked, app({ image: 'y' }), by('other'), types)).toBeUndefined()
  })

  it('merges the oldest of more than ten updaters, by version, into ancient-changes', () => {
    let object = create(app({ config: {} }), 'm0')
    for (let n = 1; n < 14; n++) {
      const next = change(object, { config: { ...(specOf(object).config as object), [`k${n}`]: '1' } })
      const time = `2026-01-01T00:00:${n + 10}Z`
      object = owned(next, updatedFields(object, next, by(`m${n}`, { time }), types))
    }
    const entries = object.metadata.managedFields as ManagedFieldsEntry[]
    expect(entries).toHaveLength(10)
    expect(entries[0]).toMatchObject({ manager: 'ancient-changes', time: '2026-01-01T00:00:14Z' })
    expect(entries[0]?.fieldsV1).toMatchObject({ 'f:spec': { 'f:config': { 'f:k1': {}, 'f:k4': {} } } })
    expect(entries.map(({ manager }) => manager)).toContain('m5')
  })

  it('drops owners of a version that is not served any more, and converts for the others', () => {
    const older = { ...(list?.[0] as ManagedFieldsEntry), apiVersion: 'e.com/v0', manager: 'old' }
    const other = {
      ...older,
      apiVersion: 'e.com/v2',
      manager: 'second',
      fieldsV1: { 'f:spec': { 'f:count': {}, 'f:image': {} } },
    }
    const before = owned(live, [older, other])
    const many = {
      typeOf: (version: string) =>
        version === 'e.com/v0' ? undefined : appType({ ...SPEC_FIELDS, count: listOf('atomic') }),
      convert: (object: KubeObject, apiVersion: string) => {
        const { replicas, ...spec } = specOf(object)
        return { ...object, apiVersion, spec: { ...spec, count: replicas } }
      },
    }
    const next = { ...change(live, { replicas: 7 }), metadata: { name: 'a' } }
    expect(setsOf(updatedFields(before, next, by('w'), many))).toEqual({
      second: { 'f:spec': { 'f:image': {} } },
      w: { 'f:spec': { 'f:replicas': {} } },
    })
  })

  it('owns as a whole what a schema has made atomic', () => {
    const before = create(app({ ports: [{ port: 80 }], nested: { depth: 1 }, image: 'x' }))
    const atomic = appType({ ...SPEC_FIELDS, ports: listOf('atomic'), nested: { ...appType(), atomic: true } })
    const fields = updatedFields(before, change(before, { image: 'y' }), by('w'), { ...types, typeOf: () => atomic })
    expect(setsOf(fields).maker).toEqual({ 'f:spec': { '.': {}, 'f:nested': {}, 'f:ports': {} } })
  })

  it('owns exactly what changed, whatever changes', () => {
    const config = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'), {
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(config, config, (before, after) => {
        const old = create(app({ image: 'i', config: before }))
        const fields = updatedFields(old, change(old, { config: after }), by('w'), types)
        const changed = Object.keys(after).filter((key) => after[key] !== before[key])
        const mine = setsOf(fields).w as Record<string, Record<string, object>> | undefined
        // An empty container is a value of its own, so that leaving or entering that state is a change of it.
        const keys = Object.keys(mine?.['f:spec']?.['f:config'] ?? {}).filter((key) => key !== '.')
        expect(keys.sort()).toEqual(changed.map((key) => `f:${key}`).sort())
        const theirs = Object.keys((setsOf(fields).maker as never)['f:spec']['f:config'] ?? {}).filter(
          (key) => key !== '.',
        )
        expect(theirs.sort()).toEqual(
          Object.keys(before)
            .filter((key) => after[key] === before[key])
            .map((key) => `f:${key}`)
            .sort(),
        )
      }),
    )
  })
})
