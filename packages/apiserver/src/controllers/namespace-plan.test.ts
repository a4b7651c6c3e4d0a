import { describe, expect, it } from 'vitest'
import { countFinalizers, deletionConditions, planNamespace, released } from './namespace-plan.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const gone = { deletionTimestamp: '2026-01-01T00:00:00Z' }

function namespace(metadata: object = {}, finalizers: string[] = ['kubernetes']) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', ...metadata }, spec: { finalizers } }
}

describe('what a namespace needs', () => {
  it('is nothing unless it is being deleted and held by us', () => {
    expect(planNamespace(undefined)).toBe('nothing')
    expect(planNamespace(namespace())).toBe('nothing')
    expect(planNamespace(namespace(gone, ['example.com/x']))).toBe('nothing')
    expect(planNamespace(namespace(gone))).toBe('empty')
  })

  it('is at last to be let go, by us alone', () => {
    expect(released(namespace(gone, ['example.com/x', 'kubernetes'])).spec).toEqual({ finalizers: ['example.com/x'] })
  })
})

describe('the conditions of a namespace under deletion', () => {
  const types = [
    'NamespaceDeletionDiscoveryFailure',
    'NamespaceDeletionGroupVersionParsingFailure',
    'NamespaceDeletionContentFailure',
    'NamespaceContentRemaining',
    'NamespaceFinalizersRemaining',
  ]

  it('is that all is well when nothing remains', () => {
    const conditions = deletionConditions([], [], undefined, now)
    expect(conditions.map(({ type, status }) => [type, status])).toEqual(types.map((type) => [type, 'False']))
  })

  it('names what remains and what holds it', () => {
    const remaining = [
      { resource: 'secrets.', count: 2, finalizers: {} },
      { resource: 'apps.example.com', count: 3, finalizers: { 'example.com/hold': 2, 'example.com/other': 1 } },
      { resource: 'configmaps.', count: 1, finalizers: { 'example.com/hold': 1 } },
    ]
    const [, , , content, finalizers] = deletionConditions([], remaining, undefined, now)
    expect(content).toMatchObject({
      status: 'True',
      reason: 'SomeResourcesRemain',
      message:
        'Some resources are remaining: apps.example.com has 3 resource instances, ' +
        'configmaps. has 1 resource instances, secrets. has 2 resource instances',
    })
    expect(finalizers).toMatchObject({
      status: 'True',
      reason: 'SomeFinalizersRemain',
      message:
        'Some content in the namespace has finalizers remaining: ' +
        'example.com/hold in 3 resource instances, example.com/other in 1 resource instances',
    })
  })

  it('says why content could not be deleted', () => {
    const [, , failure] = deletionConditions([], [], 'the disk is full', now)
    expect(failure).toMatchObject({
      status: 'True',
      reason: 'ContentDeletionFailed',
      message: 'Failed to delete all resource types, 1 remaining: the disk is full',
    })
  })

  it('is the same value when nothing changed', () => {
    const conditions = deletionConditions([], [], undefined, now)
    expect(deletionConditions(conditions, [], undefined, now + 60_000)).toBe(conditions)
  })
})

describe('counting finalizers', () => {
  it('counts each object once for every finalizer it has', () => {
    const object = (...finalizers: string[]) => ({ apiVersion: 'v1', kind: 'X', metadata: { finalizers } })
    expect(countFinalizers([object('a/b', 'c/d'), object('a/b'), object()])).toEqual({ 'a/b': 2, 'c/d': 1 })
  })
})
