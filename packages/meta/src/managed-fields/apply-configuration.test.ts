import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../object/object.ts'
import type { StatusError } from '../status/status-error.ts'
import { app, appType, by, listOf, SPEC_FIELDS, setsOf, specOf, types } from './app.fixture.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { updatedFields } from './updated-fields.ts'

const LATER = '2026-01-02T00:00:00Z'
const apply = (live: KubeObject | undefined, spec: object, manager: string, more: object = {}) =>
  applyConfiguration(live, app(spec), by(manager, more), types)
const update = (live: KubeObject, spec: object, manager: string): KubeObject => {
  const next = { ...live, spec: { ...specOf(live), ...spec } }
  const managedFields = updatedFields(live, next, by(manager), types)
  return { ...next, metadata: { ...next.metadata, ...(managedFields && { managedFields }) } }
}
const refusal = (work: () => unknown): StatusError['status'] => {
  try {
    work()
  } catch (error) {
    return (error as StatusError).status
  }
  throw new Error('was not refused')
}

describe('applyConfiguration', () => {
  const config = { replicas: 1, ports: [{ port: 80, name: 'http' }] }
  const live = apply(undefined, config, 'one')

  it('makes an object whose manager owns leaves and items, and no containers', () => {
    expect(live).toEqual({
      ...app(config),
      metadata: {
        name: 'a',
        managedFields: [
          {
            manager: 'one',
            operation: 'Apply',
            apiVersion: 'e.com/v1',
            time: '2026-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: {
              'f:spec': {
                'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
                'f:replicas': {},
              },
            },
          },
        ],
      },
    })
  })

  it('gives the live object back when nothing changes, and changes neither argument', () => {
    const frozen = structuredClone(live)
    expect(apply(live, structuredClone(config), 'one', { time: LATER })).toBe(live)
    apply(live, { replicas: 1, image: 'x' }, 'one')
    expect(live).toEqual(frozen)
  })

  it('adds an owner without a change to the object, who has no time then', () => {
    const shared = apply(live, { replicas: 1 }, 'two', { time: LATER })
    expect(shared.spec).toEqual(live.spec)
    expect(shared.metadata.managedFields?.[0]).toEqual({
      manager: 'two',
      operation: 'Apply',
      apiVersion: 'e.com/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
  })

  it('takes out what its manager gives up, unless somebody else owns it', () => {
    const shared = apply(live, { replicas: 1 }, 'two')
    const given = apply(shared, { image: 'x' }, 'one', { time: LATER })
    expect(given.spec).toEqual({ replicas: 1, image: 'x' })
    expect(apply(given, {}, 'two').spec).toEqual({ image: 'x' })
    const changed = update(live, { nested: { depth: 1 } }, 'updater')
    expect(apply(changed, { replicas: 1 }, 'one').spec).toEqual({ replicas: 1, nested: { depth: 1 } })
  })

  it('refuses to change what others own, names each field and owner, and takes it when forced', () => {
    const owned = update(apply(live, { replicas: 1, config: { k: 'v' } }, 'two'), { image: 'x' }, 'updater')
    const wanted = { replicas: 2, image: 'y', config: { k: 'w' }, ports: [{ port: 80, name: 'web' }] }
    const status = refusal(() => apply(owned, wanted, 'three'))
    expect(status).toMatchObject({ code: 409, reason: 'Conflict' })
    expect(status.message).toBe(
      [
        'Apply failed with 5 conflicts: conflicts with "one":',
        '- .spec.replicas',
        '- .spec.ports[port=80,protocol="TCP"].name',
        'conflicts with "two":',
        '- .spec.replicas',
        '- .spec.config.k',
        'conflicts with "updater" using e.com/v1:',
        '- .spec.image',
      ].join('\n'),
    )
    expect(status.details?.causes?.at(-1)).toEqual({
      reason: 'FieldManagerConflict',
      message: 'conflict with "updater" using e.com/v1',
      field: '.spec.image',
    })
    const forced = apply(owned, wanted, 'three', { force: true })
    expect(forced.spec).toEqual(wanted)
    expect(Object.keys(setsOf(forced))).toEqual(['one', 'three'])
    expect(refusal(() => apply(live, { replicas: 2 }, 'three')).message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    )
  })

  it('names the subresource of an owner', () => {
    const status = { ...live, status: { phase: 'x' } }
    const fields = updatedFields(live, status, by('boss', { subresource: 'status' }), types)
    const owned = { ...status, metadata: { ...status.metadata, ...(fields && { managedFields: fields }) } }
    const next = { ...app({}), status: { phase: 'y' } }
    expect(refusal(() => applyConfiguration(owned, next, by('me'), types)).message).toBe(
      'Apply failed with 1 conflict: conflict with "boss" with subresource "status" using e.com/v1: .status.phase',
    )
    expect(specOf(applyConfiguration(owned, next, by('me', { reset: [['status']] }), types))).toEqual(live.spec)
  })

  it('merges sets and keyed lists, replaces atomic ones, and interleaves the orders', () => {
    const first = apply(undefined, { tags: ['a', 'b', 'c'], args: ['1', '2'], whole: { a: 1 } }, 'one')
    const both = apply(first, { tags: ['x', 'c', 'y', 'a'], args: ['1', '2'], whole: { a: 1 } }, 'two')
    expect(specOf(both).tags).toEqual(['b', 'x', 'c', 'y', 'a'])
    expect(specOf(apply(both, { tags: ['y'] }, 'two')).tags).toEqual(['b', 'c', 'y', 'a'])
    const forced = apply(both, { args: ['3'], whole: { b: 2 } }, 'three', { force: true })
    expect([specOf(forced).args, specOf(forced).whole]).toEqual([['3'], { b: 2 }])
  })

  it('keeps what is there when null or nothing is applied to a container, and sets null elsewhere', () => {
    const first = apply(undefined, { tags: ['a'], config: { k: 'v' }, image: 'x' }, 'one')
    const second = apply(first, { tags: [], config: null, image: null }, 'two', { force: true })
    expect(second.spec).toEqual({ tags: ['a'], config: { k: 'v' }, image: null })
  })

  it('merges what no schema knows field by field, with lists as a whole', () => {
    const first = apply(undefined, { free: { a: { b: 1 }, list: [1, 2] } }, 'one')
    const second = apply(first, { free: { a: { c: 2 } } }, 'two')
    expect(specOf(second).free).toEqual({ a: { b: 1, c: 2 }, list: [1, 2] })
    expect(setsOf(second).two).toEqual({ 'f:spec': { 'f:free': { 'f:a': { '.': {}, 'f:c': {} } } } })
    expect(refusal(() => apply(first, { free: { list: [1] } }, 'two')).details?.causes?.[0]?.field).toBe(
      '.spec.free.list',
    )
  })

  it('counts everything before the first apply as updates, and only that', () => {
    const first = apply(app({ image: 'x', replicas: 1 }), { replicas: 1 }, 'one', { time: LATER })
    expect(first.metadata.managedFields).toMatchObject([
      { manager: 'one', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      {
        manager: 'before-first-apply',
        operation: 'Update',
        time: LATER,
        fieldsV1: { 'f:spec': { '.': {}, 'f:image': {}, 'f:replicas': {} } },
      },
    ])
    expect(refusal(() => apply(app({ image: 'x' }), { image: 'y' }, 'one')).message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using e.com/v1: .spec.image',
    )
    const emptyTemplate = by('one', { emptyTemplate: app({}) })
    expect(
      setsOf(applyConfiguration(app({ image: 'x' }), app({}), emptyTemplate, types))['before-first-apply'],
    ).toEqual({
      'f:spec': { 'f:image': {} },
    })
  })

  it('leaves a container empty that somebody still owns', () => {
    const made = update(apply(app({ tags: ['a'] }), { tags: ['b'] }, 'one'), { tags: ['b'] }, 'updater')
    expect(specOf(apply(made, {}, 'one')).tags).toEqual([])
  })

  it('drops an item of which nobody owns any part but that it is there', () => {
    const made = apply(undefined, { ports: [{ port: 80 }] }, 'one')
    const entry = { manager: 'x', operation: 'Update', apiVersion: 'e.com/v1', fieldsType: 'FieldsV1' }
    const set = { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} } } }
    const managedFields = [...(made.metadata.managedFields ?? []), { ...entry, fieldsV1: set }]
    const shared = { ...made, metadata: { name: 'a', managedFields } }
    expect(specOf(apply(shared, { image: 'x' }, 'one'))).toEqual({ image: 'x', ports: [] })
  })

  it('replaces items that are there twice', () => {
    const twice = apply(
      app({
        tags: ['a', 'b', 'a'],
        ports: [
          { port: 1, name: 'x' },
          { port: 1, name: 'y' },
        ],
      }),
      { ports: [{ port: 1, name: 'z' }] },
      'one',
      { force: true },
    )
    expect(twice.spec).toEqual({ tags: ['a', 'b', 'a'], ports: [{ port: 1, name: 'z' }] })
  })

  it('goes on in another version: an applier has one entry', () => {
    const convert = (object: KubeObject, apiVersion: string) => {
      const { replicas, count, ...spec } = specOf(object) ?? {}
      return apiVersion === 'e.com/v2'
        ? { ...object, apiVersion, spec: { ...spec, count: replicas } }
        : { ...object, apiVersion, spec: { ...spec, replicas: count } }
    }
    const both = {
      typeOf: (version: string) =>
        version === 'e.com/v0' ? undefined : appType({ ...SPEC_FIELDS, count: SPEC_FIELDS.replicas as never }),
      convert,
    }
    const second = { ...app({ count: 1 }), apiVersion: 'e.com/v2' }
    const next = applyConfiguration(convert(live, 'e.com/v2'), second, by('one', { apiVersion: 'e.com/v2' }), both)
    expect(next.spec).toEqual({ count: 1 })
    expect(next.metadata.managedFields).toMatchObject([
      { manager: 'one', apiVersion: 'e.com/v2', fieldsV1: { 'f:spec': { 'f:count': {} } } },
    ])
    const status = refusal(() =>
      applyConfiguration(
        convert(live, 'e.com/v2'),
        { ...second, spec: { count: 5 } },
        by('two', { apiVersion: 'e.com/v2' }),
        both,
      ),
    )
    expect(status.details?.causes?.[0]?.field).toBe('.spec.replicas')
    const gone = structuredClone(live)
    Object.assign(gone.metadata.managedFields?.[0] as object, { apiVersion: 'e.com/v0' })
    expect(setsOf(applyConfiguration(gone, app({ replicas: 5 }), by('two'), both))).toEqual({
      two: { 'f:spec': { 'f:replicas': {} } },
    })
  })

  it('owns as a whole what a schema has made atomic, and refuses parts of it to others', () => {
    const atomic = { ...types, typeOf: () => appType({ ...SPEC_FIELDS, ports: listOf('atomic', appType()) }) }
    expect(setsOf(applyConfiguration(live, app({ image: 'x' }), by('two'), atomic)).one).toEqual({
      'f:spec': { 'f:ports': {}, 'f:replicas': {} },
    })
  })
})

describe('applyConfiguration refuses', () => {
  const live = apply(undefined, { image: 'x' }, 'one')

  it.each([
    [{ nope: 1 }, '.spec.nope: field not declared in schema'],
    [{ replicas: 'x' }, '.spec.replicas: expected numeric (int or float), got string'],
    [{ image: 1 }, '.spec.image: expected string, got &value.valueUnstructured{Value:1}'],
    [
      { image: { a: ['b'] } },
      '.spec.image: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{"b"}}}',
    ],
    [{ tags: {} }, '.spec.tags: expected list, got &{map[]}'],
    [{ config: 'x' }, '.spec.config: expected map, got &{x}'],
    [{ tags: ['a', 'a'] }, '.spec.tags: duplicate entries for key [="a"]'],
    [
      { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [
      { ports: [{ port: 1, options: { a: 1 } }] },
      '.spec.ports[port=1,protocol="TCP"].options.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [{ tags: [null] }, ".spec.tags: element 0: associative list without keys has an element that's an explicit null"],
    [{ args: ['a', 5] }, '.spec.args[1]: expected string, got &value.valueUnstructured{Value:5}'],
    [
      { image: 1, replicas: true },
      'errors:\n  .spec.image: expected string, got &value.valueUnstructured{Value:1}\n  .spec.replicas: expected numeric (int or float), got bool',
    ],
  ])('%o', (spec, problem) => {
    const status = refusal(() => apply(live, spec, 'one'))
    expect(status.message).toBe(`failed to create typed patch object (/a; e.com/v1, Kind=App): ${problem}`)
    expect(status).toMatchObject({ code: 500, status: 'Failure' })
  })

  it('managed fields in a configuration, and another version', () => {
    const sent = { ...app({}), metadata: { name: 'a', managedFields: [] } }
    expect(refusal(() => applyConfiguration(live, sent, by('one'), types))).toMatchObject({
      code: 400,
      message: 'metadata.managedFields must be nil',
    })
    expect(refusal(() => applyConfiguration(live, { ...app({}), apiVersion: 'v2' }, by('one'), types))).toMatchObject({
      code: 400,
      message: 'invalid object type: /v2, Kind=App',
    })
  })

  it('to guess who owns what when the live object does not say it readably', () => {
    const odd = { ...live, metadata: { name: 'a', managedFields: [{ operation: 'Apply', apiVersion: 'v1' }] } }
    expect(refusal(() => apply(odd, { image: 'y' }, 'two'))).toMatchObject({
      code: 500,
      message: 'failed to decode managed fields: missing fieldsType in managed fields entry 0',
    })
  })
})
