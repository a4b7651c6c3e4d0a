import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestClock } from './test-clock.ts'

const DAY = 86_400_000

/** The tests control the system's time, too. */
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('TestClock', () => {
  it('goes like any other clock', () => {
    const clock = new TestClock()
    expect(clock.now()).toBe(Date.now())
    clock.setTimer(5, () => {})
    vi.advanceTimersByTime(4)
    expect([clock.now(), clock.timers]).toEqual([Date.now(), 1])
    vi.advanceTimersByTime(1)
    expect(clock.timers).toBe(0)
  })

  it('jumps ahead, and what comes due on the way happens in order and once', () => {
    const clock = new TestClock()
    const before = clock.now()
    const calls: string[] = []
    clock.setTimer(2 * DAY, () => calls.push('late'))
    clock.setTimer(20, () => {
      calls.push('early')
      clock.setTimer(DAY, () => calls.push('set on the way'))
    })
    clock.advance(3 * DAY)
    expect(calls).toEqual(['early', 'set on the way', 'late'])
    expect(clock.now() - before).toBe(3 * DAY)
    // The system timer of the first would have fired by then.
    vi.advanceTimersByTime(30)
    expect(calls).toHaveLength(3)
  })

  it('does not call a cancelled timer', () => {
    const clock = new TestClock()
    clock.setTimer(10, () => expect.fail('it was cancelled'))()
    clock.advance(DAY)
    expect(clock.timers).toBe(0)
  })

  it('stands still when frozen, until it is moved', () => {
    const start = Date.parse('2031-05-06T07:08:09Z')
    const clock = new TestClock({ start, frozen: true })
    let called = 0
    clock.setTimer(1, () => called++)
    vi.advanceTimersByTime(5)
    expect([clock.now(), called]).toEqual([start, 0])
    clock.advance(1000)
    expect([clock.now(), called]).toEqual([start + 1000, 1])
  })
})
