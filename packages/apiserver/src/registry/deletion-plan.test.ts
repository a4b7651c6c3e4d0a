import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import type { DeleteOptions } from './delete-options.ts'
import { deletionFinalizers, plannedDeletion } from './deletion-plan.ts'
import type { Strategy } from './resource-type.ts'

const F = 'foregroundDeletion'
const O = 'orphan'
const X = 'example.com/x'

describe('finalizers for the garbage collector', () => {
  const rows: [string, string[], DeleteOptions, Strategy['dependents'], string[]][] = [
    ['nothing is said', [], {}, undefined, []],
    ['Background', [X], { propagationPolicy: 'Background' }, undefined, [X]],
    ['Foreground', [X], { propagationPolicy: 'Foreground' }, undefined, [X, F]],
    ['Orphan', [X], { propagationPolicy: 'Orphan' }, undefined, [X, O]],
    ['orphanDependents', [], { orphanDependents: true }, undefined, [O]],
    ['orphanDependents is false', [O, X], { orphanDependents: false }, undefined, [X]],
    ['the object has a finalizer for it', [O, X], {}, undefined, [O, X]],
    ['the object has the other', [F], {}, 'orphaned', [F]],
    ['a policy replaces another', [O, X], { propagationPolicy: 'Foreground' }, undefined, [X, F]],
    ['Background takes a policy back', [F], { propagationPolicy: 'Background' }, undefined, []],
    ['a kind orphans by default', [], {}, 'orphaned', [O]],
    ['a policy goes before the default', [], { propagationPolicy: 'Background' }, 'orphaned', []],
    ['a kind has no dependents', [X], { propagationPolicy: 'Foreground' }, 'ignored', [X]],
  ]
  it.each(rows)('when %s', (_, finalizers, options, byDefault, wanted) => {
    expect(deletionFinalizers(finalizers, options, byDefault)).toEqual(wanted)
  })
})

const NOW = Date.parse('2030-01-01T00:01:00Z')

function plan(metadata: object, options: DeleteOptions, grace?: number): KubeObject['metadata'] {
  const strategy = {
    generation: true,
    ...(grace !== undefined && {
      deletionGrace: (_: KubeObject, { gracePeriodSeconds }: DeleteOptions) => gracePeriodSeconds ?? grace,
    }),
  } as unknown as Strategy
  return plannedDeletion({ apiVersion: 'v1', kind: 'Pod', metadata }, options, strategy, NOW).metadata
}

describe('an object that is being deleted', () => {
  it('is marked once, with a new generation, and without grace when finalizers hold it', () => {
    const marked = plan({ generation: 3, finalizers: [X] }, {})
    expect(marked).toEqual({
      generation: 4,
      finalizers: [X],
      deletionTimestamp: '2030-01-01T00:01:00Z',
      deletionGracePeriodSeconds: 0,
    })
    expect(plan(marked, {})).toEqual(marked)
  })

  it('gets the grace its kind gives, in the time it will be over and in seconds', () => {
    expect(plan({ generation: 1 }, {}, 30)).toEqual({
      generation: 2,
      deletionTimestamp: '2030-01-01T00:01:30Z',
      deletionGracePeriodSeconds: 30,
    })
    expect(plan({}, { gracePeriodSeconds: 0 }, 30)).toMatchObject({ deletionGracePeriodSeconds: 0 })
    expect(plan({}, { gracePeriodSeconds: -5 }, 30)).toMatchObject({ deletionGracePeriodSeconds: 1 })
  })

  it('can only have its grace made shorter', () => {
    const graceful = { generation: 2, deletionTimestamp: '2030-01-01T00:01:30Z', deletionGracePeriodSeconds: 40 }
    expect(plan(graceful, {}, 30)).toEqual(graceful)
    expect(plan(graceful, { gracePeriodSeconds: 40, propagationPolicy: 'Orphan' }, 30)).toEqual(graceful)
    expect(plan(graceful, { gracePeriodSeconds: 20 }, 30)).toEqual({
      ...graceful,
      deletionTimestamp: '2030-01-01T00:01:10Z',
      deletionGracePeriodSeconds: 20,
    })
    expect(plan(graceful, { gracePeriodSeconds: 5 }, 30)).toEqual({
      ...graceful,
      deletionTimestamp: '2030-01-01T00:01:00Z',
      deletionGracePeriodSeconds: 1,
    })
    expect(plan(graceful, { gracePeriodSeconds: 0 }, 30)).toMatchObject({ deletionGracePeriodSeconds: 0 })
  })

  it('of a kind that begins to go in its own way counts no generation and no grace', () => {
    const strategy = { generation: true, beforeDelete: () => {} } as unknown as Strategy
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { generation: 1, finalizers: [X] } }
    expect(plannedDeletion(object, {}, strategy, NOW).metadata).toEqual({
      generation: 1,
      finalizers: [X],
      deletionTimestamp: '2030-01-01T00:01:00Z',
    })
  })
})

describe('a grace that never ends', () => {
  const now = Date.UTC(2026, 0, 1)
  const strategy = { deletionGrace: () => Number(2n ** 63n - 1n) } as unknown as Strategy

  it('ends with the last moment that can be written', () => {
    const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }
    const { metadata } = plannedDeletion(pod, {}, strategy, now)
    expect(metadata.deletionTimestamp).toBe('9999-12-31T23:59:59Z')
    expect(metadata.deletionGracePeriodSeconds).toBe((Date.UTC(9999, 11, 31, 23, 59, 59) - now) / 1000)
  })
})
