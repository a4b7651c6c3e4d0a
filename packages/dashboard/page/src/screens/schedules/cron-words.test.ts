import { cronTicks } from '@homeostat/colony/schedule'
import { describe, expect, test } from 'vitest'
import { cronWords, durationWords, timingWords } from './cron-words.ts'

test.each([
  ['* * * * *', 'every minute'],
  ['*/5 * * * *', 'every 5 minutes'],
  ['0/15 9-17 * * *', 'every 15 minutes from 09:00 to 17:59'],
  ['*/7 * * * *', 'at */7 * * * *'],
  ['*/10 * * * * *', 'every 10 seconds'],
  ['0 * * * *', 'every hour at :00'],
  ['15,45 */6 * * *', 'every 6 hours at :15, :45'],
  ['30 2 * * *', 'every day at 02:30'],
  ['5 30 2 * * *', 'every day at 02:30:05'],
  ['0 9 * * MON-FRI', 'every weekday at 09:00'],
  ['0 9,17 * * 1-5', 'every weekday at 09:00 and 17:00'],
  ['0 9 * * 6,0', 'every Saturday and Sunday at 09:00'],
  ['0 9 * * 7', 'every Sunday at 09:00'],
  ['0 9 * * mon,wed,fri', 'every Monday, Wednesday and Friday at 09:00'],
  ['0 0 1 * *', 'on the 1st of every month at 00:00'],
  ['0 0 2,11,22 1 *', 'on the 2nd, 11th and 22nd of January at 00:00'],
  ['0 0 L * *', 'on the last day of every month at 00:00'],
  ['0 0 * 6-8 *', 'every day in June, July and August at 00:00'],
  ['*/5 * * * SAT', 'every 5 minutes, every Saturday'],
  ['@hourly', 'every hour at :00'],
  ['@weekly', 'every Sunday at 00:00'],
  ['0 9 1 * MON', 'at 0 9 1 * MON'],
  ['0 9 * * MON#1', 'at 0 9 * * MON#1'],
  ['0 0-23 * * *', 'at 0 0-23 * * *'],
  ['<b>', 'at <b>'],
  ['99 9 * * *', 'at 99 9 * * *'],
])('%s is %s', (expression, words) => expect(cronWords(expression)).toBe(words))

test.each([
  [{ cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' }, 'every weekday at 09:00 Europe/Berlin'],
  [{ cron: '@daily' }, 'every day at 00:00 UTC'],
  [{ intervalSeconds: 90 }, 'every 90 seconds'],
  [{ intervalSeconds: 7200 }, 'every 2 hours'],
  [{ at: '2026-02-03T04:05:06.000Z' }, 'once, at 2026-02-03 04:05:06 UTC'],
  [{}, 'never'],
])('%j is %s', (spec, words) => expect(timingWords(spec)).toBe(words))

test('one of a unit has no number', () => expect(durationWords(86_400)).toBe('day'))

describe('the words are what the calendar does', () => {
  const start = Date.UTC(2026, 0, 1)
  const next = (expression: string, count: number) => {
    const ticks = cronTicks(expression)
    const times: Date[] = []
    for (let time = start; times.length < count; ) {
      time = ticks.after(time) ?? Number.POSITIVE_INFINITY
      times.push(new Date(time))
    }
    return times
  }

  test('of weekdays', () => {
    for (const time of next('0 9 * * MON-FRI', 50)) {
      expect(time.getUTCDay() % 6).not.toBe(0)
      expect(time.toISOString().slice(11, 16)).toBe('09:00')
    }
  })

  test('of even steps', () => {
    const times = next('*/15 * * * *', 100).map(Number)
    expect(new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toEqual(new Set([900_000]))
  })

  test('of Sundays, whose number is 0 or 7', () => expect(next('0 9 * * 7', 5)).toEqual(next('0 9 * * 0', 5)))
})
