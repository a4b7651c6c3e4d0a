import type { OwnerReference } from '@homeostat/meta'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OwnerState } from './garbage-plan.ts'
import { configMap, memoryApi, namespace } from './memory-api.ts'
import { OwnerGraph } from './owner-graph.ts'
import { OwnerLookup } from './owner-lookup.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const CONFIG_MAPS = { group: '', resource: 'configmaps' }

const server = await memoryApi()
const { api, types } = server
const graph = new OwnerGraph()
const lookup = new OwnerLookup(api, types, graph)
const uids: Record<string, string> = {}

beforeAll(async () => {
  for (const name of ['n', 'm']) {
    const { metadata } = await api.create(NAMESPACES, namespace(name))
    uids[`namespace ${name}`] = metadata.uid ?? ''
  }
  for (const name of ['here', 'waiting']) {
    const { metadata } = await api.create(CONFIG_MAPS, configMap('n', name))
    uids[name] = metadata.uid ?? ''
  }
  await api.delete(CONFIG_MAPS, { namespace: 'n', name: 'waiting' }, { propagationPolicy: 'Foreground' })
  return () => server.close()
})

function ref(name: string, uid: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: uids[uid] ?? uid, ...more }
}

describe('an owner', () => {
  const rows: [string, () => OwnerReference, string | undefined, OwnerState][] = [
    ['is there', () => ref('here', 'here'), 'n', 'solid'],
    ['waits for its dependents', () => ref('waiting', 'waiting'), 'n', 'waiting'],
    ['has another uid', () => ref('here', 'waiting'), 'n', 'absent'],
    ['is in another namespace', () => ref('here', 'here'), 'm', 'absent'],
    ['is namespaced, and its dependent is not', () => ref('here', 'here'), undefined, 'misplaced'],
    ['is of another kind', () => ref('here', 'here', { kind: 'Secret' }), 'n', 'absent'],
    ['is of a version nobody serves', () => ref('here', 'here', { apiVersion: 'v2' }), 'n', 'unknown'],
    ['is of a kind nobody serves', () => ref('here', 'here', { kind: 'Gadget' }), 'n', 'unknown'],
    [
      'cannot be stored',
      () => ref('x', 'x', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }),
      'n',
      'unknown',
    ],
    ['has no namespace', () => ref('m', 'namespace m', { kind: 'Namespace' }), 'n', 'solid'],
    ['has none, nor has its dependent', () => ref('m', 'namespace m', { kind: 'Namespace' }), undefined, 'solid'],
  ]
  it.each(rows)('that %s', (_, reference, from, wanted) => {
    expect(lookup.stateOf(reference(), from)).toBe(wanted)
  })

  it('that was deleted is absent, even if its kind is not served any more', () => {
    const reference = { apiVersion: 'example.com/v1', kind: 'Gadget', name: 'g', uid: 'gone' }
    expect(lookup.stateOf(reference, 'n')).toBe('unknown')
    graph.set('k', { uid: 'u', owners: [reference], deletingDependents: false })
    graph.ownerGone('gone', { group: 'example.com', kind: 'Gadget', namespace: 'n', name: 'g' })
    expect(lookup.stateOf(reference, 'n')).toBe('absent')
    expect(lookup.stateOf({ ...reference, name: 'other' }, 'n')).toBe('unknown')
    expect(lookup.stateOf({ ...reference, apiVersion: 'v1' }, 'n')).toBe('unknown')
    expect(lookup.stateOf(reference, 'm')).toBe('unknown')
    expect(lookup.stateOf(reference, undefined)).toBe('unknown')
  })

  it('can be elsewhere', () => {
    expect(lookup.isElsewhere(ref('here', 'here'), 'm')).toBe(true)
    expect(lookup.isElsewhere(ref('here', 'here'), undefined)).toBe(true)
    expect(lookup.isElsewhere(ref('here', 'waiting'), 'm')).toBe(false)
    expect(lookup.isElsewhere(ref('here', 'here'), 'n')).toBe(false)
  })
})
