import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Backoff } from './backoff.ts'

describe('Backoff', () => {
  it('doubles with each failure of a key until it reaches the maximum', () => {
    const backoff = new Backoff<string>({ min: 100, max: 1000, jitter: 0 })
    expect(Array.from({ length: 6 }, () => backoff.next('a'))).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  it('counts each key for itself', () => {
    const backoff = new Backoff<string>({ min: 100, max: 1000, jitter: 0 })
    backoff.next('a')
    backoff.next('a')
    expect(backoff.next('b')).toBe(100)
    expect(backoff.failures('a')).toBe(2)
  })

  it('starts again after the key is forgotten', () => {
    const backoff = new Backoff<string>({ min: 100, max: 1000, jitter: 0 })
    backoff.next('a')
    backoff.forget('a')
    expect(backoff.failures('a')).toBe(0)
    expect(backoff.next('a')).toBe(100)
  })

  it('spreads delays with the random numbers it is given', () => {
    const backoff = new Backoff<string>({ min: 100, max: 1000, jitter: 0.5, random: () => 0.5 })
    expect(backoff.next('a')).toBe(125)
  })

  it('stays within its bounds whatever the jitter and however many failures', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 2000 }),
        (min, more, jitter, random, failures) => {
          const backoff = new Backoff<string>({ min, max: min + more, jitter, random: () => random })
          for (let i = 0; i < failures; i++) backoff.next('a')
          const delay = backoff.next('a')
          expect(delay).toBeGreaterThanOrEqual(min)
          expect(delay).toBeLessThanOrEqual((min + more) * (1 + 1e-9))
        },
      ),
      { numRuns: 50 },
    )
  })
})
