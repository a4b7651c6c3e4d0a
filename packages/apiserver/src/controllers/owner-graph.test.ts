import type { OwnerReference } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Owned, OwnerGraph } from './owner-graph.ts'

const KEYS = ['a', 'b', 'c', 'd']
const UIDS = ['u', 'v', 'w']

const reference = fc.record({ uid: fc.constantFrom(...UIDS), blockOwnerDeletion: fc.boolean() }).map(
  ({ uid, blockOwnerDeletion }): OwnerReference => ({
    apiVersion: 'v1',
    kind: 'Owner',
    name: uid,
    uid,
    blockOwnerDeletion,
  }),
)
const step = fc.record({
  key: fc.constantFrom(...KEYS),
  owners: fc.option(fc.array(reference, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  deletingDependents: fc.boolean(),
})

describe('a graph of owners', () => {
  it('always holds the last owners of every object', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const graph = new OwnerGraph()
        const model = new Map<string, Owned>()
        for (const { key, owners, deletingDependents } of steps) {
          const owned = owners && { uid: `uid-${key}`, owners, deletingDependents }
          graph.set(key, owned)
          if (owned) model.set(key, owned)
          else model.delete(key)
        }
        expect(graph.size).toBe(model.size)
        for (const uid of UIDS) {
          const dependents = [...model].filter(([, { owners }]) => owners.some((owner) => owner.uid === uid))
          const blocks = ({ owners }: Owned) => owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion)
          expect(graph.dependentsOf(uid).sort()).toEqual(dependents.map(([key]) => key).sort())
          expect(graph.hasDependents(uid)).toBe(dependents.length > 0)
          expect(graph.isBlocked(uid)).toBe(dependents.some(([, owned]) => blocks(owned)))
          expect(graph.dependentsWait(uid)).toBe(dependents.some(([, owned]) => owned.deletingDependents))
        }
      }),
    )
  })

  it('remembers a deleted owner as long as it has dependents', () => {
    const graph = new OwnerGraph()
    const place = { group: '', kind: 'Owner', namespace: 'n', name: 'u' }
    graph.ownerGone('u', place)
    expect(graph.goneOwner('u')).toBeUndefined()
    graph.set('a', {
      uid: 'x',
      owners: [{ apiVersion: 'v1', kind: 'Owner', name: 'u', uid: 'u' }],
      deletingDependents: false,
    })
    graph.ownerGone('u', place)
    expect(graph.goneOwner('u')).toEqual(place)
    graph.set('a', undefined)
    expect(graph.goneOwner('u')).toBeUndefined()
  })
})
