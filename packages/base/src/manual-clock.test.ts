import { describe, expect, it } from 'vitest'
import { ManualClock } from './manual-clock.ts'

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
