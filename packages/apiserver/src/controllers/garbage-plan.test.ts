import type { ObjectMeta, OwnerReference } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { type GarbageAction, type GarbageView, type OwnerState, planGarbage } from './garbage-plan.ts'

function ref(uid: string): OwnerReference {
  return { apiVersion: 'v1', kind: 'Owner', name: uid, uid }
}

/** Owners are named after their state. */
function plan(metadata: ObjectMeta, more: Partial<GarbageView> = {}): GarbageAction {
  const view = { hasDependents: false, blocked: false, dependentsWait: () => false, ...more }
  return planGarbage({ metadata, ownerState: ({ uid }) => uid.replace(/\d/, '') as OwnerState, ...view })
}

const dying = { deletionTimestamp: '2030-01-01T00:00:00Z' }
const nothing = { do: 'nothing' }
const remove = (policy: string, unblock = false) => ({ do: 'delete', policy, unblock })

describe('a dependent', () => {
  const rows: [string, string[], GarbageAction | object][] = [
    ['has no owners', [], nothing],
    ['has its owner', ['solid'], nothing],
    ['has lost its owner', ['absent'], remove('Background')],
    ['has lost all its owners', ['absent', 'absent1'], remove('Background')],
    ['has lost one of two', ['absent', 'solid'], { do: 'drop owners', uids: new Set(['absent']) }],
    ['has one of two that waits', ['solid', 'waiting'], { do: 'drop owners', uids: new Set(['waiting']) }],
    ['has an owner that waits for it', ['waiting'], remove('Background')],
    ['has one that waits and has lost another', ['waiting', 'absent'], remove('Background')],
    ['has an owner of an unknown kind', ['unknown'], { do: 'await kinds' }],
    ['has lost one and cannot tell about another', ['absent', 'unknown'], { do: 'await kinds' }],
    ['has a solid owner and cannot tell about another', ['solid', 'unknown'], { do: 'await kinds' }],
    ['has an owner that it cannot have', ['misplaced', 'absent'], nothing],
  ]
  it.each(rows)('that %s', (_, owners, wanted) => {
    expect(plan({ ownerReferences: owners.map(ref) })).toEqual(wanted)
  })

  it('is left alone once it is being deleted', () => {
    expect(plan({ ...dying, finalizers: ['example.com/x'], ownerReferences: [ref('absent')] })).toEqual(nothing)
  })

  it('is deleted as its own finalizers say', () => {
    const lost = { ownerReferences: [ref('absent')] }
    expect(plan({ ...lost, finalizers: ['orphan'] })).toEqual(remove('Orphan'))
    expect(plan({ ...lost, finalizers: ['foregroundDeletion'] })).toEqual(remove('Foreground'))
  })

  it('that others depend on is deleted in the foreground when its owner waits for it', () => {
    const metadata = { ownerReferences: [ref('waiting')] }
    expect(plan(metadata, { hasDependents: true })).toEqual(remove('Foreground'))
    expect(plan({ ownerReferences: [ref('absent')] }, { hasDependents: true })).toEqual(remove('Background'))
  })

  it('in a circle stops holding up its owner first', () => {
    const view = { hasDependents: true, dependentsWait: () => true }
    expect(plan({ ownerReferences: [ref('waiting')] }, view)).toEqual(remove('Foreground', true))
  })
})

describe('an owner that is being deleted', () => {
  it('waits while dependents block it, and is released when none does', () => {
    const metadata = { ...dying, finalizers: ['foregroundDeletion'] }
    expect(plan(metadata, { blocked: true, hasDependents: true })).toEqual({ do: 'await dependents' })
    expect(plan(metadata, { hasDependents: true })).toEqual({ do: 'release', finalizer: 'foregroundDeletion' })
  })

  it('lets go of its dependents', () => {
    expect(plan({ ...dying, finalizers: ['orphan'] }, { blocked: true })).toEqual({ do: 'orphan dependents' })
  })

  it('does nothing while only finalizers of others hold it', () => {
    expect(plan({ ...dying, finalizers: ['example.com/x'] }, { hasDependents: true })).toEqual(nothing)
    expect(plan({ finalizers: ['foregroundDeletion'] }, { hasDependents: true })).toEqual(nothing)
  })
})
