import type { Runtime, Unit } from '@homeostat/runtimes'
import { describe, expect, it } from 'vitest'
import { UnitStarts } from './unit-starts.ts'

const UNIT: Unit = { name: 'web', labels: {} }

/** Starts that end when they are told to, on a clock that is moved by hand. */
function stage() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const timers = new Set<() => void>()
  const late: string[] = []
  const runtime = {
    name: 'slow',
    start: ({ name }: Unit) =>
      new Promise<string>((resolve, reject) => ends.push({ resolve: () => resolve(name), reject })),
  } as unknown as Runtime
  const clock = {
    setTimer(_: number, callback: () => void) {
      timers.add(callback)
      return () => timers.delete(callback)
    },
  }
  const starts = new UnitStarts(clock, ({ name }) => late.push(name))
  const patienceEnds = () => {
    for (const callback of [...timers]) callback()
  }
  return { starts, runtime, ends, timers, late, patienceEnds }
}

describe('a start', () => {
  it('is waited for, and nobody has to be notified', async () => {
    const { starts, runtime, ends, timers, late } = stage()
    const started = starts.start(runtime, UNIT)
    ends[0]?.resolve()
    expect(await started).toBe('started')
    expect(late).toEqual([])
    expect(timers.size).toBe(0)
  })

  it('that is refused rejects, and the next try is a new one', async () => {
    const { starts, runtime, ends } = stage()
    const started = starts.start(runtime, UNIT)
    ends[0]?.reject(new Error('no such image'))
    await expect(started).rejects.toThrow('no such image')
    void starts.start(runtime, UNIT)
    expect(ends).toHaveLength(2)
  })

  it('that takes long goes on by itself, once, and is reported when it is over', async () => {
    const { starts, runtime, ends, late, patienceEnds } = stage()
    const started = starts.start(runtime, UNIT)
    patienceEnds()
    expect(await started).toBe('underway')
    expect(await starts.start(runtime, UNIT)).toBe('underway')
    expect(ends).toHaveLength(1)
    ends[0]?.resolve()
    await expect.poll(() => late).toEqual(['web'])
  })

  it('that is refused late is heard of by who asks next', async () => {
    const { starts, runtime, ends, late, patienceEnds } = stage()
    const started = starts.start(runtime, UNIT)
    patienceEnds()
    await started
    ends[0]?.reject(new Error('no such image'))
    await expect.poll(() => late).toEqual(['web'])
    await expect(starts.start(runtime, UNIT)).rejects.toThrow('no such image')
    expect(ends).toHaveLength(1)
  })

  it('that was refused late and nobody asks for is forgotten', async () => {
    const { starts, runtime, ends, late, patienceEnds } = stage()
    const started = starts.start(runtime, UNIT)
    patienceEnds()
    await started
    ends[0]?.reject(new Error('no such image'))
    await expect.poll(() => late).toEqual(['web'])
    starts.forget(({ name }) => name === 'web')
    void starts.start(runtime, UNIT)
    expect(ends).toHaveLength(2)
  })
})
