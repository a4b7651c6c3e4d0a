import { describe, expect, it } from 'vitest'
import { ManualClock } from './manual-clock.ts'
import { PauseWatch } from './pause-watch.ts'

function watched(clock: ManualClock & { uptime?(): number } = new ManualClock(1_000_000)) {
  const pauses: number[] = []
  const watch = new PauseWatch({ clock, onPause: (ms) => pauses.push(ms) })
  return { clock, watch, pauses }
}

describe('a pause of the process', () => {
  it('is none while time passes, however long', () => {
    const { clock, watch, pauses } = watched()
    clock.advance(3_600_000)
    expect([watch.look(), pauses]).toEqual([false, []])
  })

  it('is noticed by whoever looks first, once', () => {
    const { clock, watch, pauses } = watched()
    clock.setTimer(500, () => expect(watch.look()).toBe(true))
    clock.stopFor(60_000)
    expect(pauses).toEqual([60_000])
    clock.advance(10_000)
    expect(pauses).toEqual([60_000])
  })

  it('is noticed within a second when nobody looks', () => {
    const { clock, pauses } = watched()
    clock.advance(500)
    clock.stopFor(6000)
    clock.advance(1000)
    expect(pauses).toEqual([6500])
  })

  it('is noticed within a second after the machine slept', () => {
    const { clock, pauses } = watched()
    clock.sleepFor(60_000)
    expect(pauses).toEqual([])
    clock.advance(1000)
    expect(pauses).toEqual([61_000])
  })

  it('is noticed when only one of the two clocks went on, and when the wall clock was set back', () => {
    class TwoClocks extends ManualClock {
      up = 0
      uptime = () => this.up
    }
    const { clock, watch, pauses } = watched(new TwoClocks(1_000_000))
    // Suspended: the monotonic clock stood still.
    clock.stopFor(60_000)
    expect(pauses).toEqual([60_000])
    // Stopped while somebody set the wall clock back by as much.
    ;(clock as TwoClocks).up += 90_000
    expect([watch.look(), pauses.at(-1)]).toEqual([true, 90_000])
    clock.stopFor(-3_600_000)
    expect([watch.look(), pauses.at(-1)]).toEqual([true, 3_600_000])
  })

  it('leaves no timer behind', () => {
    const { clock, watch } = watched()
    clock.advance(5000)
    watch.close()
    watch.close()
    clock.advance(5000)
    expect(clock.timers).toBe(0)
  })
})
