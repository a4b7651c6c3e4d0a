import { intervalTicks, onceTicks, planTicks, type TickPolicy, type TickSource } from '@homeostat/base/ticks'
import { describe, expect, it } from 'vitest'
import { cronTicks } from './cron-ticks.ts'

const time = (text: string) => Date.parse(`2026-01-01T${text}Z`)
const show = (ms: number | undefined) => (ms === undefined ? 'never' : new Date(ms).toISOString().slice(11, 19))

function plan(source: TickSource, lastTick: string | undefined, now: string, policy: TickPolicy = {}) {
  const state = { lastTick: lastTick === undefined ? undefined : time(lastTick), since: time('12:00:00') }
  const { due, missed, next } = planTicks(source, state, policy, time(now))
  return `${due.map(show).join(' ') || 'nothing'}${missed ? ', missed' : ''}, next ${show(next?.at)}`
}

describe('an interval', () => {
  const everyMinute = intervalTicks(60_000, time('12:00:00'))

  it('is due first after one interval', () => {
    expect(plan(everyMinute, undefined, '12:00:00')).toBe('nothing, next 12:01:00')
    expect(plan(everyMinute, undefined, '12:01:00')).toBe('12:01:00, next 12:02:00')
    expect(plan(everyMinute, '12:01:00', '12:01:00')).toBe('nothing, next 12:02:00')
  })

  it('makes up for the last tick only, unless more are wanted', () => {
    expect(plan(everyMinute, '12:01:00', '12:05:30')).toBe('12:05:00, missed, next 12:06:00')
    expect(plan(everyMinute, '12:01:00', '12:05:30', { catchUp: 2 })).toBe('12:04:00 12:05:00, missed, next 12:06:00')
    expect(plan(everyMinute, '12:01:00', '12:05:30', { catchUp: 9 })).toBe(
      '12:02:00 12:03:00 12:04:00 12:05:00, next 12:06:00',
    )
  })

  it('gives up ticks that are older than the deadline', () => {
    const policy = { startingDeadlineMs: 10_000, catchUp: 9 }
    expect(plan(everyMinute, '12:01:00', '12:02:10', policy)).toBe('12:02:00, next 12:03:00')
    expect(plan(everyMinute, '12:01:00', '12:02:11', policy)).toBe('nothing, missed, next 12:03:00')
  })

  it('is shifted as a whole', () => {
    const policy = { offsetMs: 5000 }
    expect(plan(everyMinute, undefined, '12:01:04', policy)).toBe('nothing, next 12:01:05')
    expect(plan(everyMinute, undefined, '12:01:05', policy)).toBe('12:01:00, next 12:02:05')
  })

  it('never repeats a tick when the clock is set back', () => {
    expect(plan(everyMinute, '12:10:00', '12:03:00')).toBe('nothing, next 12:11:00')
  })

  it('finds the last ticks after years without walking through all', () => {
    const start = time('12:00:00')
    const { due, missed } = planTicks(
      intervalTicks(1000, start),
      { lastTick: undefined, since: start },
      { catchUp: 2 },
      start + 1e12,
    )
    expect({ due, missed }).toEqual({ due: [start + 1e12 - 1000, start + 1e12], missed: true })
  })
})

describe('one time', () => {
  it('is due once, also when it has passed', () => {
    const at = onceTicks(time('12:30:00'))
    expect(plan(at, undefined, '12:00:00')).toBe('nothing, next 12:30:00')
    expect(plan(at, undefined, '13:00:00')).toBe('12:30:00, next never')
    expect(plan(at, '12:30:00', '13:00:00')).toBe('nothing, next never')
  })
})

describe('a cron expression', () => {
  it('has seconds, steps, names and shorthands', () => {
    expect(plan(cronTicks('0/5 * * * * *'), undefined, '12:00:05')).toBe('12:00:05, next 12:00:10')
    expect(plan(cronTicks('*/10 * * * *'), '12:10:00', '12:20:00.900')).toBe('12:20:00, next 12:30:00')
    expect(plan(cronTicks('0 15 * JAN-FEB THU'), undefined, '12:00:00')).toBe('nothing, next 15:00:00')
    expect(plan(cronTicks('@hourly'), undefined, '12:59:59')).toBe('nothing, next 13:00:00')
  })

  it('makes up for ticks as an interval does', () => {
    expect(plan(cronTicks('* * * * * *'), undefined, '12:00:10', { catchUp: 3 })).toBe(
      '12:00:08 12:00:09 12:00:10, missed, next 12:00:11',
    )
  })

  it('has the days of its time zone, with the changes of its clock', () => {
    const berlin = cronTicks('30 2 * * *', 'Europe/Berlin')
    const winter = Date.parse('2026-01-10T00:00:00Z')
    expect(new Date(berlin.after(winter) ?? 0).toISOString()).toBe('2026-01-10T01:30:00.000Z')
    // On 2026-03-29 there is no 02:30, and on 2026-10-25 it comes twice: neither day has two ticks, and none is left out.
    const days = (from: string, count: number) => {
      const ticks: string[] = []
      for (let at = Date.parse(from); ticks.length < count; ) {
        at = berlin.after(at) ?? 0
        ticks.push(new Date(at).toISOString())
      }
      return ticks.map((tick) => tick.slice(0, 10))
    }
    expect(days('2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29', '2026-03-30'])
    expect(days('2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25', '2026-10-26'])
  })

  it('is refused when it is none', () => {
    expect(() => cronTicks('every day')).toThrow()
    expect(() => cronTicks('* * * *')).toThrow()
    // croner alone reads a date.
    expect(() => cronTicks('2026-01-01T00:00:00Z')).toThrow('is a date')
    expect(() => cronTicks('* * * * *', 'Mars/Olympus')).toThrow()
  })
})
