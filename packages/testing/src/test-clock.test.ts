import { describe, expect, it } from 'vitest'
import { TestClock } from './test-clock.ts'

const DAY = 86_400_000

describe('TestClock', () => {
  it('goes like any other clock', async () => {
    const clock = new TestClock()
    const before = Date.now()
    const shown = clock.now()
    expect(shown).toBeGreaterThanOrEqual(before)
    expect(shown).toBeLessThanOrEqual(Date.now())
    await new Promise<void>((resolve) => clock.setTimer(5, resolve))
    expect(clock.timers).toBe(0)
  })

  it('jumps ahead, and what comes due on the way happens in order and once', async () => {
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
    expect(clock.now() - before).toBeGreaterThanOrEqual(3 * DAY)
    // The system's timer for the first would have fired by then.
    await new Promise<void>((resolve) => clock.setTimer(30, resolve))
    expect(calls).toHaveLength(3)
  })

  it('does not call a cancelled timer', () => {
    const clock = new TestClock()
    clock.setTimer(10, () => expect.fail('it was cancelled'))()
    clock.advance(DAY)
    expect(clock.timers).toBe(0)
  })

  it('stands still when frozen, until it is moved', async () => {
    const start = Date.parse('2031-05-06T07:08:09Z')
    const clock = new TestClock({ start, frozen: true })
    let called = 0
    clock.setTimer(1, () => called++)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([clock.now(), called]).toEqual([start, 0])
    clock.advance(1000)
    expect([clock.now(), called]).toEqual([start + 1000, 1])
  })
})
