import { describe, expect, it } from 'vitest'
import { freeSpec, heldSpec, type LeaseSpec, planLease, sight } from './lease-plan.ts'

const me = { identity: 'me', leaseMs: 15_000 }
const theirs: LeaseSpec = {
  holderIdentity: 'other',
  leaseDurationSeconds: 15,
  acquireTime: '2000-01-01T00:00:00.000000Z',
  renewTime: '2000-01-01T00:00:00.000000Z',
  leaseTransitions: 3,
}

describe('a lease', () => {
  const seenAt = (spec: LeaseSpec | undefined, since: number, now: number) =>
    planLease(spec, sight(undefined, spec, since), me, now)

  it.each<[string, LeaseSpec | undefined, number, number, object]>([
    ['that is not there is created', undefined, 0, 0, { kind: 'create' }],
    ['of nobody is taken', { ...theirs, holderIdentity: '' }, 0, 0, { kind: 'take' }],
    ['of ours is renewed', { ...theirs, holderIdentity: 'me' }, 0, 99_000, { kind: 'renew' }],
    ['just seen is left, however old its times are', theirs, 50_000, 50_000, { kind: 'wait', left: 15_000 }],
    ['is left until its end', theirs, 0, 14_999, { kind: 'wait', left: 1 }],
    ['is taken at its end', theirs, 0, 15_000, { kind: 'take' }],
    ['counts by its own length', { ...theirs, leaseDurationSeconds: 60 }, 0, 15_000, { kind: 'wait', left: 45_000 }],
    ['without a length has ours', { holderIdentity: 'other' }, 0, 14_000, { kind: 'wait', left: 1000 }],
  ])('%s', (_, spec, since, now, plan) => {
    expect(seenAt(spec, since, now)).toMatchObject(plan)
  })

  it('is seen anew only when it says something new', () => {
    const first = sight(undefined, theirs, 10)
    expect(sight(first, { ...theirs }, 20)).toBe(first)
    expect(sight(first, { ...theirs, renewTime: '2000-01-01T00:00:02.000000Z' }, 20).since).toBe(20)
  })

  it('counts transitions, and keeps the time it was acquired', () => {
    const taken = heldSpec(theirs, me, 1000)
    expect(taken).toEqual({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      acquireTime: '1970-01-01T00:00:01.000000Z',
      renewTime: '1970-01-01T00:00:01.000000Z',
      leaseTransitions: 4,
    })
    expect(heldSpec(taken, me, 3000)).toEqual({ ...taken, renewTime: '1970-01-01T00:00:03.000000Z' })
    expect(heldSpec(undefined, me, 0).leaseTransitions).toBe(0)
  })

  it('that is released has no holder and keeps its count', () => {
    expect(freeSpec(theirs, 0)).toEqual({
      leaseDurationSeconds: 1,
      renewTime: '1970-01-01T00:00:00.000000Z',
      leaseTransitions: 3,
    })
  })
})
