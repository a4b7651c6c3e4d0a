import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from './manual-clock.ts'

const DAY = 86_400_000

describe('ManualClock', () => {
  it('stands still until it is moved', () => {
    const clock = new ManualClock(5)
    expect(clock.now()).toBe(5)
    clock.advance(10)
    expect(clock.now()).toBe(15)
  })

  it('calls timers in the order of their time, with that time as now', () => {
    const clock = new ManualClock()
    const calls: [string, number][] = []
    clock.setTimer(20, () => calls.push(['late', clock.now()]))
    clock.setTimer(10, () => calls.push(['early', clock.now()]))
    clock.setTimer(10, () => calls.push(['early too', clock.now()]))
    clock.advance(20)
    expect(calls).toEqual([
      ['early', 10],
      ['early too', 10],
      ['late', 20],
    ])
  })

  it('calls timers that are set on the way and come due on the way', () => {
    const clock = new ManualClock()
    const times: number[] = []
    const again = () => {
      times.push(clock.now())
      clock.setTimer(10, again)
    }
    clock.setTimer(10, again)
    clock.advance(35)
    expect(times).toEqual([10, 20, 30])
    expect(clock.timers).toBe(1)
  })

  it('does not call a cancelled timer', () => {
    const clock = new ManualClock()
    let called = false
    const cancel = clock.setTimer(10, () => {
      called = true
    })
    cancel()
    cancel()
    clock.advance(100)
    expect(called).toBe(false)
  })
})

describe('a ManualClock that runs', () => {
  /** The tests control the system's time, too. */
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('goes like any other clock', () => {
    const clock = new ManualClock(Date.now(), { runs: true })
    expect(clock.now()).toBe(Date.now())
    clock.setTimer(5, () => {})
    vi.advanceTimersByTime(4)
    expect([clock.now(), clock.timers]).toEqual([Date.now(), 1])
    vi.advanceTimersByTime(1)
    expect(clock.timers).toBe(0)
  })

  it('jumps ahead, and what comes due on the way happens in order and once', () => {
    const clock = new ManualClock(Date.now(), { runs: true })
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
    const clock = new ManualClock(Date.now(), { runs: true })
    clock.setTimer(10, () => expect.fail('it was cancelled'))()
    clock.advance(DAY)
    expect(clock.timers).toBe(0)
  })
})
