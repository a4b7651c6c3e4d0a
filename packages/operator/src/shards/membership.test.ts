// Members on one simulated server: each lists, then renews, with clocks of its own rate and offset. Requests take any time
// to arrive and to return, processes stand still at any point, crash, leave and join. No object ever has two owners.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Moment } from '../leader/moment.ts'
import { type MemberLease, Membership, type Renewal } from './membership.ts'

const LEASE_MS = 10_000
const RENEW_MS = 6000
const UIDS = Array.from({ length: 12 }, (_, at) => `uid-${at}`)

/** The Leases on the server. */
type Leases = Map<string, MemberLease>

class Member {
  readonly identity: string
  readonly membership: Membership
  readonly #leases: Leases
  readonly #clock: (time: number) => Moment
  #step = 0
  #began: Moment = { wall: 0, uptime: 0 }
  #read: readonly MemberLease[] = []
  #renewal: Renewal = { epoch: 0, joins: true, yields: [] }
  #writes = 0

  constructor(identity: string, leases: Leases, { rate, offset }: { rate: number; offset: number }) {
    this.identity = identity
    this.#leases = leases
    this.#clock = (time) => ({ wall: offset + time * rate, uptime: time * rate })
    this.membership = new Membership({ identity, leaseMs: LEASE_MS, renewMs: RENEW_MS })
  }

  owns(uid: string, time: number): boolean {
    return this.membership.owns(uid, this.#clock(time))
  }

  isActive(time: number): boolean {
    return this.membership.isActive(this.#clock(time))
  }

  /** The next of the six steps of an attempt. A process that makes none stands still, perhaps with a request under way. */
  step(time: number): void {
    const { membership, identity } = this
    const now = this.#clock(time)
    const steps = [
      () => {
        this.#began = now
      },
      () => {
        this.#read = [...this.#leases.values()]
      },
      () => {
        membership.saw(this.#read, this.#began, now)
        membership.yield()
        this.#bury()
      },
      () => {
        this.#began = now
        this.#renewal = membership.renewal(now)
      },
      () => {
        const { epoch, yields } = this.#renewal
        const text = `${identity} ${this.#writes++}`
        this.#leases.set(identity, { identity, epoch, text, durationMs: LEASE_MS, yields: new Set(yields) })
      },
      () => membership.renewed(this.#renewal, this.#began, now),
    ]
    steps[this.#step]?.()
    this.#step = (this.#step + 1) % steps.length
  }

  attempt(time: number): void {
    do this.step(time)
    while (this.#step !== 0)
  }

  #bury(): void {
    for (const { identity, text } of this.membership.expired) {
      if (this.#leases.get(identity)?.text === text) this.#leases.delete(identity)
    }
  }
}

function expectOneOwner(members: readonly Member[], time: number): void {
  for (const uid of UIDS) {
    const owners = members.filter((member) => member.owns(uid, time)).map(({ identity }) => identity)
    if (owners.length > 1) throw new Error(`${uid} has the owners ${owners.join(' and ')}`)
  }
}

const clocks = fc.record({ rate: fc.double({ min: 0.85, max: 1.15, noNaN: true }), offset: fc.integer() })
/** Mostly short times, so that requests often come through, and some in which leases run out. */
const passing = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 150 }) },
  { weight: 2, arbitrary: fc.integer({ min: 150, max: 3000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 3000, max: 14_000 }) },
)
const events = fc.array(
  fc.record({
    member: fc.nat({ max: 3 }),
    after: passing,
    // A run of steps of one member is what makes it active; a single step leaves a request under way.
    what: fc.oneof(
      { weight: 16, arbitrary: fc.constant('attempt' as const) },
      { weight: 8, arbitrary: fc.constant('step' as const) },
      { weight: 1, arbitrary: fc.constant('restart' as const) },
      { weight: 1, arbitrary: fc.constant('leave' as const) },
    ),
  }),
  { minLength: 50, maxLength: 200 },
)

describe('members of a shared operator', () => {
  it('never own an object together', () => {
    let acted = 0
    const property = fc.property(fc.array(clocks, { minLength: 4, maxLength: 4 }), events, (rates, happening) => {
      const leases: Leases = new Map()
      let count = 0
      const begin = (at: number) => new Member(`m${count++}`, leases, rates[at] ?? { rate: 1, offset: 0 })
      const members = rates.map((_, at) => begin(at))
      let time = 0
      for (const { member: at, after, what } of happening) {
        time += after
        expectOneOwner(members, time)
        const member = members[at] as Member
        if (what === 'attempt') member.attempt(time)
        else if (what === 'step') member.step(time)
        else {
          // A process that leaves has ended its reconciles; one that crashes leaves its Lease behind.
          if (what === 'leave') leases.delete(member.identity)
          members[at] = begin(at)
        }
        expectOneOwner(members, time)
        acted += Number(members.filter((one) => one.isActive(time)).length > 1)
      }
    })
    fc.assert(property, { numRuns: 2000 })
    // Otherwise the property would hold for members that never act.
    expect(acted).toBeGreaterThan(10_000)
  })

  const steady = { rate: 1, offset: 0 }
  const after = (time: number, members: readonly Member[]) => {
    for (const member of members) member.attempt(time)
  }
  const owned = (members: readonly Member[], time: number) =>
    UIDS.map((uid) => members.filter((member) => member.owns(uid, time)).map(({ identity }) => identity))

  it('act after two attempts when nobody else is there', () => {
    const alone = new Member('a', new Map(), steady)
    alone.attempt(0)
    expect(alone.isActive(0)).toBe(false)
    alone.attempt(1)
    expect(owned([alone], 1).flat()).toHaveLength(UIDS.length)
  })

  it('share all objects within a few attempts after one joins, and at once after one leaves', () => {
    const leases: Leases = new Map()
    const members = ['a', 'b', 'c'].map((identity) => new Member(identity, leases, steady))
    const [a, b, c] = members as [Member, Member, Member]
    for (let time = 0; time < 3; time++) after(time, [a, b])
    for (let time = 3; time < 6; time++) after(time, members)
    expect(owned(members, 6).map((owners) => owners.length)).toEqual(UIDS.map(() => 1))
    expect(new Set(owned(members, 6).flat())).toEqual(new Set(['a', 'b', 'c']))
    leases.delete('c')
    after(7, [a, b])
    expect(owned([a, b], 7).map((owners) => owners.length)).toEqual(UIDS.map(() => 1))
    expect(c.isActive(7 + RENEW_MS)).toBe(false)
  })

  it('take over after a lease duration from one that crashed, which does not act when it was only stopped', () => {
    const leases: Leases = new Map()
    const [a, b] = [new Member('a', leases, steady), new Member('b', leases, steady)]
    for (let time = 0; time < 4; time++) after(time, [a, b])
    let time = 4
    for (; owned([a], time).flat().length < UIDS.length; time += 500) {
      expect(time).toBeLessThan(LEASE_MS + 1000)
      a.attempt(time)
    }
    expect(time).toBeGreaterThanOrEqual(LEASE_MS)
    expect([b.isActive(time), leases.has('b')]).toEqual([false, false])
    // It joins anew, and acts again when the other has yielded.
    after(time, [b])
    expect(b.isActive(time)).toBe(false)
    after(time, [b, a, b])
    expect(owned([a, b], time).map((owners) => owners.length)).toEqual(UIDS.map(() => 1))
  })

  it('join anew when their renewal was under way for too long, however soon after it they hear of it', () => {
    const leases: Leases = new Map()
    const [a, b] = [new Member('a', leases, steady), new Member('b', leases, steady)]
    for (let time = 0; time < 4; time++) after(time, [a, b])
    // The list and the beginning of the renewal are in time; the server stores it after a has given up on b.
    for (let step = 0; step < 4; step++) b.step(5900)
    for (let time = 4; time < 11_000; time += 500) a.attempt(time)
    expect(owned([a], 10_900).flat()).toHaveLength(UIDS.length)
    b.step(11_000)
    b.step(11_050)
    expectOneOwner([a, b], 11_050)
    expect(b.isActive(11_050)).toBe(false)
  })

  it('stop when somebody deleted their Lease', () => {
    const leases: Leases = new Map()
    const alone = new Member('a', leases, steady)
    for (let time = 0; time < 3; time++) alone.attempt(time)
    leases.delete('a')
    for (let step = 0; step < 3; step++) alone.step(3)
    expect(alone.isActive(3)).toBe(false)
  })
})
