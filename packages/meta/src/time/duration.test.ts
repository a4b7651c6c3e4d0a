import { describe, expect, it } from 'vitest'
import { type Duration, humanDuration, milliseconds, parseDuration, parseGoDuration } from './duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-1.5 * second, '0s'],
    [0, '0s'],
    [999, '0s'],
    [second, '1s'],
    [minute, '60s'],
    [2 * minute - 1, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 3 * second, '2m3s'],
    [10 * minute - second, '9m59s'],
    [10 * minute, '10m'],
    [10 * minute + second, '10m'],
    [3 * hour - second, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 5 * minute, '3h5m'],
    [8 * hour - second, '7h59m'],
    [8 * hour, '8h'],
    [8 * hour + 59 * minute, '8h'],
    [48 * hour - second, '47h'],
    [48 * hour, '2d'],
    [49 * hour, '2d1h'],
    [8 * day - second, '7d23h'],
    [8 * day, '8d'],
    [8 * day + 23 * hour, '8d'],
    [2 * year - second, '729d'],
    [2 * year, '2y'],
    [2 * year + day, '2y1d'],
    [8 * year - second, '7y364d'],
    [8 * year, '8y'],
    [8 * year + 364 * day, '8y'],
  ])('%d ms is %s', (ms, expected) => {
    expect(humanDuration(ms)).toBe(expected)
  })
})

describe('parseGoDuration', () => {
  it.each([
    ['0', 0],
    ['5s', 5000],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['-1.5h', -5_400_000],
    ['+5s', 5000],
    ['300ms', 300],
    ['1.5s', 1500],
    ['.5s', 500],
    ['1.s', 1000],
    ['1000us', 1],
    ['1000\u00b5s', 1],
    ['2000000ns', 2],
    ['1h1m1s1ms', 3_661_001],
  ])('reads %s', (text, ms) => {
    expect(parseGoDuration(text)).toBeCloseTo(ms, 9)
  })

  it.each(['', '-', '5', 's', '5 s', '1x', '1d', '.s', '1s5', '--5s', 'abc'])('refuses %j', (text) => {
    expect(parseGoDuration(text)).toBeUndefined()
  })
})

describe('parseDuration', () => {
  it('reads days, which Go does not', () => {
    expect([parseDuration('2d'), parseGoDuration('2d')]).toEqual([2 * day, undefined])
    expect(parseDuration('1d12h')).toBe(36 * hour)
  })
})

describe('milliseconds', () => {
  it.each<[Duration, number]>([
    ['0s', 0],
    ['10ms', 10],
    ['10s', 10 * second],
    ['1h30m', 90 * minute],
    ['1h30m5s', 90 * minute + 5 * second],
    ['1m30s', 90 * second],
    ['1.5h', 90 * minute],
    ['2d', 2 * day],
    ['1d12h', 36 * hour],
    [{ seconds: 10 }, 10 * second],
    [{ hours: 1, minutes: 30 }, 90 * minute],
    [{ days: 1, milliseconds: 5 }, day + 5],
  ])('of %j', (duration, ms) => {
    expect(milliseconds(duration)).toBe(ms)
  })

  it('of what is no duration is an error of the compiler, and of JavaScript when it runs', () => {
    const refused = (wrong: () => unknown, shown: string) =>
      expect(wrong).toThrow(`${shown} is not a duration: write '10s', '1h30m' or { seconds: 10 }`)
    // @ts-expect-error a number has no unit
    refused(() => milliseconds(10), '10')
    // @ts-expect-error units are ms, s, m, h and d
    refused(() => milliseconds('10 minutes'), '"10 minutes"')
    // @ts-expect-error a text without a unit
    refused(() => milliseconds('10'), '"10"')
    // @ts-expect-error a field that is misspelt
    refused(() => milliseconds({ second: 10 }), '{ second: 10 }')
    // @ts-expect-error a text where a number belongs
    refused(() => milliseconds({ seconds: '10' }), '{ seconds: "10" }')
    // @ts-expect-error a number has no unit
    refused(() => milliseconds(10n), '10')
    refused(() => milliseconds({}), '{}')
    refused(() => milliseconds('-5s'), '"-5s"')
    refused(() => milliseconds(null as unknown as Duration), 'null')
  })
})
