import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRfc3339, rfc3339, rfc3339Micro } from './rfc3339.ts'

describe('rfc3339', () => {
  it('writes whole seconds and microseconds in UTC', () => {
    const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    expect(rfc3339(ms)).toBe('2026-01-02T03:04:05Z')
    expect(rfc3339Micro(ms)).toBe('2026-01-02T03:04:05.678000Z')
    expect(rfc3339Micro(1.25)).toBe('1970-01-01T00:00:00.001250Z')
  })

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) }), (ms) => {
        expect(parseRfc3339(rfc3339Micro(ms))).toBeCloseTo(ms, 1)
        expect(parseRfc3339(rfc3339(ms))).toBe(Math.floor(ms / 1000) * 1000)
      }),
    )
  })

  it.each([
    ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
    ['2026-01-01T02:00:00+02:00', Date.UTC(2026, 0, 1)],
    ['2025-12-31T23:30:00-00:30', Date.UTC(2026, 0, 1)],
    ['2026-01-01T00:00:00.123456789Z', Date.UTC(2026, 0, 1) + 123.456789],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('reads %s', (text, ms) => {
    expect(parseRfc3339(text)).toBeCloseTo(ms, 3)
  })

  it.each([
    '',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+25:00',
    '2026-1-1T00:00:00Z',
    'yesterday',
  ])('refuses %j', (text) => {
    expect(parseRfc3339(text)).toBeUndefined()
  })
})
