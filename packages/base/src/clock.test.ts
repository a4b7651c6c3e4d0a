import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

describe('systemClock', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('calls back after the time, once', () => {
    vi.useFakeTimers()
    let calls = 0
    systemClock.setTimer(1000, () => calls++)
    vi.advanceTimersByTime(999)
    expect(calls).toBe(0)
    vi.advanceTimersByTime(5000)
    expect(calls).toBe(1)
  })

  it('waits longer than the longest timeout of the platform, and can be cancelled then', () => {
    vi.useFakeTimers()
    let calls = 0
    const day = 86_400_000
    systemClock.setTimer(60 * day, () => calls++)
    const cancel = systemClock.setTimer(60 * day, () => calls++)
    vi.advanceTimersByTime(59 * day)
    expect(calls).toBe(0)
    cancel()
    vi.advanceTimersByTime(day)
    expect(calls).toBe(1)
  })
})
