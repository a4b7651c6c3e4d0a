// What every driver has to do right. A driver's own test calls this with a way to make the driver and units that behave in
// a known way on it; a driver is done when all of this passes.

import { afterEach, describe, expect, it } from 'vitest'
import type { LogOptions, Runtime, Unit, UnitState } from '../src/index.ts'

export interface DriverUnderTest {
  /** A driver; with `survivors`, on the same place each time, as after a restart. */
  open(): Promise<Runtime>
  /** Ends whatever tests may have left. */
  cleanUp(): Promise<void>
  /** How units are told what to do. */
  readonly units: {
    /** Goes on until it is stopped. */
    stays(): Partial<Unit>
    exits(code: number): Partial<Unit>
    /** Goes on when it is asked to stop. */
    stubborn(): Partial<Unit>
    impossible(): Partial<Unit>
    /** Prints lines, at least two, at once and then stays. */
    prints?(lines: readonly string[]): Partial<Unit>
  }
  /** Whether units are found again by another instance of the driver. */
  readonly survivors: boolean
}

export function driverSuite(driver: DriverUnderTest): void {
  const open = new Set<Runtime>()
  const opened = async (): Promise<Runtime> => {
    const runtime = await driver.open()
    open.add(runtime)
    return runtime
  }
  afterEach(async () => {
    for (const runtime of open) {
      for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
      await runtime.close()
    }
    open.clear()
    await driver.cleanUp()
  })

  describe('units', () => {
    it('run once, however often their start is asked for', async () => {
      const runtime = await opened()
      const unit = named('web', driver.units.stays())
      const [one, two] = await Promise.all([runtime.start(unit), runtime.start(unit)])
      const three = await runtime.start(unit)
      expect(new Set([one, two, three]).size).toBe(1)
      expect(await runtime.list({})).toHaveLength(1)
      const state = await reaches(runtime, one, 'running')
      expect(state).toMatchObject({ id: one, name: 'web', labels: { unit: 'web' } })
      expect(state.startedAt).toBeGreaterThan(0)
    })

    it('are found by all of their labels', async () => {
      const runtime = await opened()
      await runtime.start({ ...named('a', driver.units.stays()), labels: { app: 'x', tier: 'web' } })
      await runtime.start({ ...named('b', driver.units.stays()), labels: { app: 'x', tier: 'db' } })
      const names = async (labels: Record<string, string>) =>
        (await runtime.list(labels)).map(({ name }) => name).sort()
      expect(await names({})).toEqual(['a', 'b'])
      expect(await names({ app: 'x' })).toEqual(['a', 'b'])
      expect(await names({ app: 'x', tier: 'db' })).toEqual(['b'])
      expect(await names({ app: 'y' })).toEqual([])
    })

    it.each([0, 1, 42])('are kept with their exit code %i until they are removed', async (code) => {
      const runtime = await opened()
      const id = await runtime.start(named('job', driver.units.exits(code)))
      const state = await reaches(runtime, id, 'exited')
      expect(state.exitCode).toBe(code)
      expect(state.finishedAt).toBeGreaterThanOrEqual(state.startedAt ?? Number.POSITIVE_INFINITY)
      expect(await runtime.start(named('job', driver.units.exits(code)))).toBe(id)
      expect((await runtime.list({}))[0]?.phase).toBe('exited')
      await runtime.stop(id)
      expect(await runtime.list({})).toEqual([])
    })

    it('that cannot start are refused and leave nothing', async () => {
      const runtime = await opened()
      await expect(runtime.start(named('bad', driver.units.impossible()))).rejects.toThrow()
      expect(await runtime.list({})).toEqual([])
    })
  })

  describe('stop', () => {
    it('ends a unit, tells so, and forgets it', async () => {
      const runtime = await opened()
      const id = await runtime.start(named('web', driver.units.stays()))
      await reaches(runtime, id, 'running')
      const seen: UnitState[] = []
      runtime.watch((state) => seen.push(state))
      await runtime.stop(id)
      expect(seen.at(-1)).toMatchObject({ id, phase: 'exited' })
      expect(await runtime.list({})).toEqual([])
    })

    it('makes a stubborn unit end when its grace is over', async () => {
      const runtime = await opened()
      const id = await runtime.start(named('mule', driver.units.stubborn()))
      await reaches(runtime, id, 'running')
      const asked = Date.now()
      await runtime.stop(id, { graceSeconds: 1 })
      expect(Date.now() - asked).toBeGreaterThanOrEqual(990)
      expect(await runtime.list({})).toEqual([])
    })

    it('makes a name free for another unit', async () => {
      const runtime = await opened()
      await runtime.stop(await runtime.start({ ...named('web', driver.units.exits(3)), labels: { round: '1' } }))
      const again = await runtime.start({ ...named('web', driver.units.stays()), labels: { round: '2' } })
      expect(await reaches(runtime, again, 'running')).toMatchObject({ name: 'web', labels: { round: '2' } })
      expect(await runtime.list({})).toHaveLength(1)
    })

    it('knows nothing wrong in an unknown id, nor in a second stop', async () => {
      const runtime = await opened()
      await runtime.stop('nobody')
      const id = await runtime.start(named('web', driver.units.stays()))
      await Promise.all([runtime.stop(id), runtime.stop(id)])
      expect(await runtime.list({})).toEqual([])
    })
  })

  describe('watch', () => {
    it('tells the last state of every unit, until it is ended', async () => {
      const runtime = await opened()
      const last = new Map<string, UnitState>()
      const other: UnitState[] = []
      runtime.watch((state) => last.set(state.name, state))
      runtime.watch((state) => other.push(state))()
      await runtime.start(named('stays', driver.units.stays()))
      await runtime.start(named('ends', driver.units.exits(3)))
      await expect.poll(() => [last.get('stays')?.phase, last.get('ends')?.phase]).toEqual(['running', 'exited'])
      expect(last.get('ends')?.exitCode).toBe(3)
      expect(other).toEqual([])
    })
  })

  describe('close', () => {
    it('can be called twice, and nothing starts afterwards', async () => {
      const runtime = await driver.open()
      await runtime.close()
      await runtime.close()
      await expect(runtime.start(named('late', driver.units.stays()))).rejects.toThrow('closed')
    })
  })

  describe('logs', () => {
    it('of an unknown unit are refused', async () => {
      const runtime = await opened()
      await expect(printed(runtime, 'nobody')).rejects.toThrow('nobody')
    })

    it('end with the unit when they are followed', async () => {
      const runtime = await opened()
      const id = await runtime.start(named('job', driver.units.exits(0)))
      const text = await printed(runtime, id, { follow: true })
      expect((await runtime.list({}))[0]?.phase).toBe('exited')
      expect(await printed(runtime, id)).toBe(text)
    })

    it('stop when the reader goes', async () => {
      const runtime = await opened()
      const id = await runtime.start(named('web', driver.units.stays()))
      const leave = new AbortController()
      const reading = printed(runtime, id, { follow: true, signal: leave.signal })
      leave.abort()
      await reading
    })
  })

  if (driver.units.prints)
    describe('printed lines', () => {
      const LINES = ['one', 'two', 'three', 'four']
      const start = async (): Promise<{ runtime: Runtime; id: string }> => {
        const runtime = await opened()
        const id = await runtime.start(named('talker', driver.units.prints?.(LINES) ?? {}))
        await expect.poll(() => printed(runtime, id)).toBe(`${LINES.join('\n')}\n`)
        return { runtime, id }
      }

      it('come back whole, the last ones, or up to a number of bytes', async () => {
        const { runtime, id } = await start()
        expect(await printed(runtime, id, { tailLines: 2 })).toBe('three\nfour\n')
        expect(await printed(runtime, id, { tailLines: 0 })).toBe('')
        expect(await printed(runtime, id, { tailLines: 99 })).toBe('one\ntwo\nthree\nfour\n')
        expect(await printed(runtime, id, { limitBytes: 6 })).toBe('one\ntw')
        expect(await printed(runtime, id, { tailLines: 1, limitBytes: 2 })).toBe('fo')
      })

      it('carry the time when asked, and none from before a time', async () => {
        const before = Date.now()
        const { runtime, id } = await start()
        const stamped = await printed(runtime, id, { timestamps: true })
        const lines = stamped.trimEnd().split('\n')
        expect(lines.map((line) => line.split(' ')[1])).toEqual(LINES)
        for (const line of lines) {
          const at = Date.parse(line.split(' ')[0] ?? '')
          expect(at).toBeGreaterThanOrEqual(before)
          expect(at).toBeLessThanOrEqual(Date.now())
        }
        expect(await printed(runtime, id, { since: before })).toBe('one\ntwo\nthree\nfour\n')
        expect(await printed(runtime, id, { since: Date.now() + 1000 })).toBe('')
      })
    })

  if (driver.survivors)
    describe('a new driver', () => {
      it('finds what runs, what ended meanwhile, and starts nothing twice', async () => {
        const first = await opened()
        const stays = await first.start(named('stays', driver.units.stays()))
        const ends = await first.start(named('ends', driver.units.exits(7)))
        await first.close()
        open.delete(first)
        const second = await opened()
        await reaches(second, ends, 'exited')
        const states = new Map((await second.list({})).map((state) => [state.name, state]))
        expect(states.get('stays')).toMatchObject({ id: stays, phase: 'running', labels: { unit: 'stays' } })
        expect(states.get('ends')).toMatchObject({ id: ends, exitCode: 7 })
        expect(await second.start(named('stays', driver.units.stays()))).toBe(stays)
        expect(await second.list({})).toHaveLength(2)
        await second.stop(stays)
        expect((await second.list({})).map(({ name }) => name)).toEqual(['ends'])
      })
    })
}

export function named(name: string, behaviour: Partial<Unit>): Unit {
  return { name, labels: { unit: name }, ...behaviour }
}

export async function reaches(runtime: Runtime, id: string, phase: UnitState['phase']): Promise<UnitState> {
  const find = async () => (await runtime.list({})).find((state) => state.id === id)
  await expect.poll(async () => (await find())?.phase, { interval: 10 }).toBe(phase)
  return (await find()) as UnitState
}

export async function printed(runtime: Runtime, id: string, options: LogOptions = {}): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of runtime.logs(id, options)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
