import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExecutorLiveness } from './executor-liveness.ts'
import { queued } from './queued-process.fixture.ts'

const runs = (name: string, attempt: number, cancel = false) =>
  queued(name, { phase: 'Running', executor: 'e1', attempt, cancel })

describe('ExecutorLiveness', () => {
  it('tells of a silent executor once, until it is seen again', () => {
    const liveness = new ExecutorLiveness()
    liveness.seen('lab', 'e1', 0)
    liveness.seen('field', 'e1', 10_000)
    expect(liveness.nextTime()).toBe(30_000)
    expect(liveness.lost(29_999)).toEqual([])
    expect(liveness.lost(30_000)).toEqual([{ namespace: 'lab', name: 'e1' }])
    expect(liveness.lost(30_000)).toEqual([])
    expect(liveness.lastSeen('lab', 'e1')).toBe(0)
    liveness.seen('lab', 'e1', 31_000)
    expect(liveness.lost(61_000)).toEqual([
      { namespace: 'field', name: 'e1' },
      { namespace: 'lab', name: 'e1' },
    ])
    expect(liveness.nextTime()).toBeUndefined()
  })

  it('has Leases written every ten seconds', () => {
    const liveness = new ExecutorLiveness()
    liveness.seen('lab', 'e1', 0)
    expect(liveness.needsRenewal('lab', 'e1', 0)).toBe(true)
    liveness.renewed('lab', 'e1', 0)
    liveness.seen('lab', 'e1', 9_999)
    expect(liveness.needsRenewal('lab', 'e1', 9_999)).toBe(false)
    expect(liveness.needsRenewal('lab', 'e1', 10_000)).toBe(true)
  })

  it('keeps nothing of an executor that is forgotten, also when its Lease is written afterwards', () => {
    const liveness = new ExecutorLiveness()
    liveness.seen('lab', 'e1', 0)
    liveness.forget('lab', 'e1')
    liveness.forget('lab', 'e1')
    liveness.renewed('lab', 'e1', 1)
    expect(liveness.size).toBe(0)
    expect(liveness.lastSeen('lab', 'e1')).toBeUndefined()
    expect(liveness.lost(100_000)).toEqual([])
  })

  it('says what is held in vain, and what is to end', () => {
    const liveness = new ExecutorLiveness()
    const holding = [
      { process: 'a', attempt: 1 },
      { process: 'b', attempt: 2 },
      { process: 'b', attempt: 1 },
      { process: 'c', attempt: 1 },
    ]
    const answer = liveness.heartbeat('lab', 'e1', holding, [runs('a', 1), runs('b', 2, true)], 0)
    expect(answer).toEqual({
      cancelled: [{ process: 'b', attempt: 2 }],
      lost: [
        { process: 'b', attempt: 1 },
        { process: 'c', attempt: 1 },
      ],
      missing: [],
    })
  })

  it('misses what two heartbeats in a row do not mention, until it is gone', () => {
    const liveness = new ExecutorLiveness()
    let now = 0
    const missing = (holding: string[], ...running: ReturnType<typeof runs>[]) => {
      now += 10_000
      return liveness
        .heartbeat(
          'lab',
          'e1',
          holding.map((process) => ({ process, attempt: 1 })),
          running,
          now,
        )
        .missing.map(({ name }) => name)
    }
    expect(missing([], runs('a', 1))).toEqual([])
    expect(missing([], runs('a', 1), runs('b', 1))).toEqual(['a'])
    expect(missing(['b'], runs('a', 1), runs('b', 1))).toEqual(['a'])
    expect(missing(['a', 'b'], runs('a', 1), runs('b', 1))).toEqual([])
    expect(missing(['b'], runs('a', 1), runs('b', 1))).toEqual([])
  })

  it('counts another attempt anew', () => {
    const liveness = new ExecutorLiveness()
    liveness.heartbeat('lab', 'e1', [], [runs('a', 1)], 0)
    expect(liveness.heartbeat('lab', 'e1', [], [runs('a', 2)], 10_000).missing).toEqual([])
    expect(liveness.heartbeat('lab', 'e1', [], [runs('a', 2)], 20_000).missing.map(({ attempt }) => attempt)).toEqual([
      2,
    ])
  })

  it('takes a heartbeat for a sign of life', () => {
    const liveness = new ExecutorLiveness()
    liveness.seen('lab', 'e1', 0)
    liveness.heartbeat('lab', 'e1', [], [], 20_000)
    expect(liveness.lost(40_000)).toEqual([])
  })

  it('finds who is silent whatever the order of the signs, also when the clock goes back', () => {
    const sign = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 60_000 }))
    fc.assert(
      fc.property(fc.array(sign), fc.integer({ min: 0, max: 90_000 }), (signs, now) => {
        const liveness = new ExecutorLiveness()
        for (const [name, time] of signs) liveness.seen('lab', name, time)
        const last = new Map(signs)
        const silent = [...last].filter(([, time]) => time + 30_000 <= now).map(([name]) => name)
        expect(
          liveness
            .lost(now)
            .map(({ name }) => name)
            .sort(),
        ).toEqual(silent.sort())
        expect(liveness.nextTime() ?? Infinity).toBeGreaterThan(now)
      }),
    )
  })
})
