import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventBook, type EventBookOptions } from './event-book.ts'

const second = 1000
const minute = 60 * second

function book(options?: EventBookOptions) {
  return new EventBook<string>(0, options)
}

/** Writes all that is due and returns it as `event=count`. */
function write(events: EventBook<string>, now: number): string[] {
  return events.take(now).map((series) => {
    events.written(series, series.count, now)
    return `${series.event}=${series.count}`
  })
}

describe('a series of events', () => {
  it('is written at once when it first happens', () => {
    const events = book()
    events.record('a', 'a1', 'pulled', 5)
    expect(events.next()).toBe(5)
    expect(write(events, 5)).toEqual(['pulled=1'])
    expect(events.next()).toBeUndefined()
  })

  it('is counted ever more seldom while it goes on', () => {
    const events = book()
    const writes: string[] = []
    for (let now = 0; now < 10 * minute; now += second) {
      events.record('a', 'a1', 'failed', now)
      if (write(events, now).length > 0) writes.push(`${now / second}s`)
    }
    expect(writes).toEqual(['0s', '10s', '30s', '70s', '150s', '310s'])
  })

  it('ends with a last count when it stops', () => {
    const events = book()
    for (const now of [0, second, 2 * second]) {
      events.record('a', 'a1', 'failed', now)
      write(events, now)
    }
    expect(events.next()).toBe(10 * second)
    expect(write(events, 10 * second)).toEqual(['failed=3'])
    expect(events.next()).toBeUndefined()
  })

  it('is a new event after ten quiet minutes', () => {
    const events = book()
    events.record('a', 'a1', 'failed', 0)
    write(events, 0)
    events.record('a', 'a1', 'failed', 11 * minute)
    expect(write(events, 11 * minute)).toEqual(['failed=1'])
  })

  it('is tried again after a failure, and given up after some', () => {
    const events = book()
    events.record('a', 'a1', 'failed', 0)
    let now = 0
    let tries = 0
    for (let next = events.next(); next !== undefined; next = events.next()) {
      now = next
      for (const series of events.take(now)) {
        tries++
        events.failed(series, true, now)
      }
    }
    expect(tries).toBe(5)
    expect(now).toBe(30 * second)
    expect(events.dropped).toBe(1)
    expect(events.size).toBe(0)
  })

  it('is given up at once when the server refuses it', () => {
    const events = book()
    events.record('a', 'a1', 'failed', 0)
    for (const series of events.take(0)) events.failed(series, false, 0)
    expect(events.size).toBe(0)
    expect(events.next()).toBeUndefined()
  })

  it('is not taken twice while it is being written', () => {
    const events = book()
    events.record('a', 'a1', 'failed', 0)
    const [series] = events.take(0)
    events.record('a', 'a1', 'failed', 1)
    expect(events.take(minute)).toEqual([])
    if (series) events.written(series, 1, 2)
    expect(events.next()).toBe(2 + 10 * second)
  })
})

describe('limits', () => {
  it('writes so much about one object, and goes on with others', () => {
    const events = book({ perObject: { burst: 2, perSecond: 1 / 60 } })
    for (const key of ['1', '2', '3', '4']) events.record('a', `a${key}`, `a${key}`, 0)
    events.record('b', 'b1', 'b1', 0)
    expect(write(events, 0)).toEqual(['a1=1', 'a2=1', 'b1=1'])
    expect(events.dropped).toBe(2)
    events.record('a', 'a5', 'a5', minute)
    expect(write(events, minute)).toEqual(['a5=1'])
  })

  it('writes so much in total', () => {
    const events = book({ total: { burst: 3, perSecond: 6 / 60 } })
    for (let at = 0; at < 10; at++) events.record(`o${at}`, `o${at}`, `o${at}`, 0)
    expect(write(events, 0)).toHaveLength(3)
    expect(events.dropped).toBe(7)
    events.record('late', 'late', 'late', 10 * second)
    expect(write(events, 10 * second)).toEqual(['late=1'])
  })

  it('puts counts off when there are too many writes, and loses none', () => {
    const events = book({ perObject: { burst: 1, perSecond: 1 / 60 } })
    for (let now = 0; now <= 10 * second; now += second) {
      events.record('a', 'a1', 'failed', now)
      write(events, now)
    }
    expect(events.next()).toBe(minute)
    expect(write(events, minute)).toEqual(['failed=11'])
  })

  it('remembers a bounded number of series, and rather forgets what is written', () => {
    const events = book({ maxSeries: 3 })
    events.record('a', 'a', 'a', 0)
    write(events, 0)
    for (const key of ['b', 'c', 'd']) events.record(key, key, key, 1)
    expect(events.size).toBe(3)
    expect(events.dropped).toBe(0)
    events.record('e', 'e', 'e', 2)
    expect(events.size).toBe(3)
    expect(events.dropped).toBe(1)
    expect(write(events, 2)).toEqual(['c=1', 'd=1', 'e=1'])
  })
})

describe('whatever happens', () => {
  const step = fc.record({ wait: fc.nat(30_000), object: fc.nat(4), message: fc.nat(3), works: fc.boolean() })

  it('limits hold, and what was noted is written or counted as dropped', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const perObject = { burst: 3, perSecond: 6 / 60 }
        const total = { burst: 6, perSecond: 12 / 60 }
        const events = book({ perObject, total, maxSeries: 6 })
        const writes = new Map<string, number>()
        let now = 0
        let first = 0
        for (const { wait, object, message, works } of steps) {
          now += wait
          events.record(`o${object}`, `o${object}m${message}`, '', now)
          for (const series of events.take(now)) {
            if (series.written === 0 && series.failures === 0) first++
            writes.set(series.about, (writes.get(series.about) ?? 0) + (series.failures === 0 ? 1 : 0))
            if (works) events.written(series, series.count, now)
            else events.failed(series, false, now)
          }
          expect(events.size).toBeLessThanOrEqual(6)
        }
        const allowed = ({ burst, perSecond }: typeof total) => burst + (now * perSecond) / 1000 + 1
        for (const count of writes.values()) expect(count).toBeLessThanOrEqual(allowed(perObject))
        expect([...writes.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(allowed(total))
        if (steps.length > 0) expect(first).toBeGreaterThan(0)
        for (const series of events.takeAll()) events.written(series, series.count, now)
        expect(events.next()).toBeUndefined()
      }),
    )
  })
})
