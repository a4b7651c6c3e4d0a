import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExecutorBook } from './executor-book.ts'
import { queued } from './queued-process.fixture.ts'

const runs = (name: string, attempt: number, cancel = false) =>
  queued(name, { phase: 'Running', executor: 'e1', attempt, cancel })

describe('ExecutorBook', () => {
  it('tells of a silent executor once, until it is seen again', () => {
    const book = new ExecutorBook()
    book.seen('lab', 'e1', 0)
    book.seen('field', 'e1', 10_000)
    expect(book.nextTime()).toBe(30_000)
    expect(book.lost(29_999)).toEqual([])
    expect(book.lost(30_000)).toEqual([{ namespace: 'lab', name: 'e1' }])
    expect(book.lost(30_000)).toEqual([])
    expect(book.lastSeen('lab', 'e1')).toBe(0)
    book.seen('lab', 'e1', 31_000)
    expect(book.lost(61_000)).toEqual([
      { namespace: 'field', name: 'e1' },
      { namespace: 'lab', name: 'e1' },
    ])
    expect(book.nextTime()).toBeUndefined()
  })

  it('has Leases written every ten seconds', () => {
    const book = new ExecutorBook()
    book.seen('lab', 'e1', 0)
    expect(book.needsRenewal('lab', 'e1', 0)).toBe(true)
    book.renewed('lab', 'e1', 0)
    book.seen('lab', 'e1', 9_999)
    expect(book.needsRenewal('lab', 'e1', 9_999)).toBe(false)
    expect(book.needsRenewal('lab', 'e1', 10_000)).toBe(true)
  })

  it('keeps nothing of an executor that is forgotten, also when its Lease is written afterwards', () => {
    const book = new ExecutorBook()
    book.seen('lab', 'e1', 0)
    book.forget('lab', 'e1')
    book.forget('lab', 'e1')
    book.renewed('lab', 'e1', 1)
    expect(book.size).toBe(0)
    expect(book.lastSeen('lab', 'e1')).toBeUndefined()
    expect(book.lost(100_000)).toEqual([])
  })

  it('says what is held in vain, and what is to end', () => {
    const book = new ExecutorBook()
    const holding = [
      { process: 'a', attempt: 1 },
      { process: 'b', attempt: 2 },
      { process: 'b', attempt: 1 },
      { process: 'c', attempt: 1 },
    ]
    const answer = book.heartbeat('lab', 'e1', holding, [runs('a', 1), runs('b', 2, true)], 0)
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
    const book = new ExecutorBook()
    let now = 0
    const missing = (holding: string[], ...running: ReturnType<typeof runs>[]) => {
      now += 10_000
      return book
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
    const book = new ExecutorBook()
    book.heartbeat('lab', 'e1', [], [runs('a', 1)], 0)
    expect(book.heartbeat('lab', 'e1', [], [runs('a', 2)], 10_000).missing).toEqual([])
    expect(book.heartbeat('lab', 'e1', [], [runs('a', 2)], 20_000).missing.map(({ attempt }) => attempt)).toEqual([2])
  })

  it('takes a heartbeat for a sign of life', () => {
    const book = new ExecutorBook()
    book.seen('lab', 'e1', 0)
    book.heartbeat('lab', 'e1', [], [], 20_000)
    expect(book.lost(40_000)).toEqual([])
  })

  it('finds who is silent whatever the order of the signs, also when the clock goes back', () => {
    const sign = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 60_000 }))
    fc.assert(
      fc.property(fc.array(sign), fc.integer({ min: 0, max: 90_000 }), (signs, now) => {
        const book = new ExecutorBook()
        for (const [name, time] of signs) book.seen('lab', name, time)
        const last = new Map(signs)
        const silent = [...last].filter(([, time]) => time + 30_000 <= now).map(([name]) => name)
        expect(
          book
            .lost(now)
            .map(({ name }) => name)
            .sort(),
        ).toEqual(silent.sort())
        expect(book.nextTime() ?? Infinity).toBeGreaterThan(now)
      }),
    )
  })
})
