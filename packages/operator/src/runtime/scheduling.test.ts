// When keys are reconciled: retries, waiting, terminal outcomes, timers, order and limits.

import { ManualClock, silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, configMap, NAMESPACE, stage, WIDGET } from './operate.fixture.ts'
import { terminal, waiting } from './outcome.ts'
import type { Outcome, ReconcileContext } from './reconcile-context.ts'

const widgets = (reconcile: (run: ReconcileContext<LooseObject>) => Promise<Outcome>, more: object = {}) =>
  controller('example.com/v1', 'Widget', { reconcile, ...more })
const ref = (name: string) => ({ ...WIDGET, name, namespace: NAMESPACE })
const manual = () => new ManualClock(Date.parse('2030-01-01T00:00:00Z'))

describe('a run that fails', () => {
  it('is tried again with growing delay, and from the beginning after it succeeded', async () => {
    const { operate, widget } = await stage()
    const clock = manual()
    const starts: number[] = []
    let broken = true
    const operator = await operate(
      widgets(async () => {
        starts.push(clock.now())
        if (broken) throw new Error('broken')
      }),
      { clock, random: () => 0, backoff: { min: '1s', max: '5s' } },
    )
    await widget('a')
    for (let tries = 1; tries <= 5; tries++) {
      await eventually(() => starts.length === tries)
      await operator.idle()
      while (operator.sizes().busy === 0) clock.advance(100)
    }
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    expect(gaps.slice(0, 4).map((gap) => Math.round(gap / 1000))).toEqual([1, 2, 4, 5])
    await eventually(() => starts.length === 6)
    await operator.idle()
    broken = false
    clock.advance(5000)
    await eventually(() => starts.length === 7)
    await operator.idle()
    expect(operator.sizes().delayed).toBe(0)
    broken = true
    operator.queue(ref('a'), 'test')
    await operator.idle()
    clock.advance(1000)
    await eventually(() => starts.length === 9)
  })

  it('runs at once when something changes, which neither counts as a try nor moves the next one', async () => {
    const { operate, widget, merge } = await stage()
    const clock = manual()
    let runs = 0
    const operator = await operate(
      widgets(async () => {
        runs++
        throw new Error('broken')
      }),
      { clock, random: () => 0, backoff: { min: '1s', max: '1h' } },
    )
    await widget('a')
    await eventually(() => runs === 1)
    for (let change = 1; change <= 5; change++) {
      await merge('Widget', 'a', { spec: { change } })
      await eventually(() => runs === 1 + change)
    }
    await operator.idle()
    clock.advance(999)
    expect(operator.sizes().queued + operator.sizes().busy).toBe(0)
    clock.advance(1)
    await eventually(() => runs === 7)
    await operator.idle()
    clock.advance(2000)
    await eventually(() => runs === 8)
  })

  it('keeps watching what it read before', async () => {
    const { operate, widget, create, merge } = await stage()
    await create(configMap('settings', { ok: 'yes' }))
    const outcomes: string[] = []
    let reads = true
    const operator = await operate(
      widgets(async (run) => {
        if (reads) await run.read({ ...CONFIG_MAP, name: 'settings' })
        outcomes.push(reads ? 'fine' : 'broken')
        if (!reads) throw new Error('before it could read')
      }),
      { clock: manual() },
    )
    await widget('a')
    await eventually(() => outcomes.length === 1)
    reads = false
    operator.queue(ref('a'), 'test')
    await eventually(() => outcomes.length === 2)
    reads = true
    await merge('ConfigMap', 'settings', { data: { ok: 'no' } })
    await eventually(() => outcomes.length === 3)
    expect(outcomes).toEqual(['fine', 'broken', 'fine'])
  })
})

describe('other ends of a run', () => {
  it('waiting is no failure: it sleeps until something it read changes, or its time comes', async () => {
    const { operate, widget, create } = await stage()
    const clock = manual()
    const errors: object[] = []
    let runs = 0
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => errors.push(fields) }
    const operator = await operate(
      widgets(async (run) => {
        runs++
        const found = await run.read({ ...CONFIG_MAP, name: 'needed' })
        if (found === undefined) throw waiting('NotThere', 'needs a config map', { retryAfter: '1m' })
      }),
      { clock, log },
    )
    await widget('a')
    await eventually(() => runs === 1)
    await operator.idle()
    clock.advance(59_999)
    expect(operator.sizes()).toMatchObject({ queued: 0, busy: 0, delayed: 1 })
    clock.advance(1)
    await eventually(() => runs === 2)
    await create(configMap('needed'))
    await eventually(() => runs === 3)
    await operator.idle()
    expect([errors, operator.sizes().delayed]).toEqual([[], 0])
  })

  it('terminal lasts until the generation changes', async () => {
    const { operate, widget, merge } = await stage()
    const clock = manual()
    const seen: unknown[] = []
    const operator = await operate(
      widgets(async (run) => {
        seen.push(run.object.spec?.size)
        if (run.object.spec?.size === 'wrong') throw terminal(new Error('no such size'), 'BadSize')
      }),
      { clock },
    )
    await widget('a', { spec: { size: 'wrong' } })
    await eventually(() => seen.length === 1)
    operator.queue(ref('a'), 'test')
    await merge('Widget', 'a', { metadata: { labels: { a: 'b' } } })
    await eventually(() => operator.why(ref('a')).some(({ text }) => text === 'changed'))
    await operator.idle()
    clock.advance(3_600_000)
    await operator.idle()
    expect(seen).toEqual(['wrong'])
    await merge('Widget', 'a', { spec: { size: 'right' } })
    await eventually(() => seen.length === 2)
  })

  it('a run comes again when it asked for that, and after the time of the resync', async () => {
    const { operate, widget } = await stage()
    const clock = manual()
    let runs = 0
    const again = widgets(async () => (++runs === 1 ? { requeueAfter: '90s' } : undefined), { resync: '10m' })
    const operator = await operate(again, { clock, random: () => 0 })
    await widget('a')
    await eventually(() => runs === 1)
    await operator.idle()
    clock.advance(90_000)
    await eventually(() => runs === 2)
    await operator.idle()
    clock.advance(599_999)
    await operator.idle()
    expect(runs).toBe(2)
    clock.advance(1)
    await eventually(() => runs === 3)
  })
})

describe('the queue', () => {
  it('runs one worker per object, and no more than the limit of all', async () => {
    const { operate, widget, merge } = await stage()
    const running = new Map<string, number>()
    let [most, mostOfOne, runs] = [0, 0, 0]
    const names = Array.from({ length: 8 }, (_, index) => `w${index}`)
    for (const name of names) await widget(name)
    const changed = Promise.withResolvers<void>()
    const busy = widgets(async (run) => {
      const { name = '' } = run.object.metadata
      running.set(name, (running.get(name) ?? 0) + 1)
      most = Math.max(
        most,
        [...running.values()].reduce((sum, one) => sum + one, 0),
      )
      mostOfOne = Math.max(mostOfOne, running.get(name) ?? 0)
      await changed.promise
      running.set(name, (running.get(name) ?? 0) - 1)
      runs++
    })
    const operator = await operate(busy, { concurrency: 3 })
    await eventually(() => operator.sizes().busy === 3)
    const { queued } = operator.sizes()
    for (const name of names) await merge('Widget', name, { spec: { touched: true } })
    // Its event arrives after those of the changes, whose keys were busy or queued.
    await widget('last')
    await eventually(() => operator.sizes().queued > queued)
    changed.resolve()
    await eventually(() => runs > names.length)
    await operator.idle()
    expect([most, mostOfOne]).toEqual([3, 1])
  })

  it('takes what changed before what was there at the start', async () => {
    const { operate, widget, merge } = await stage()
    const order: string[] = []
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    for (const name of ['a', 'b', 'c', 'd']) await widget(name)
    const operator = await operate(
      widgets(async (run) => {
        order.push(run.object.metadata.name ?? '')
        await gate
      }),
      { concurrency: 1 },
    )
    await eventually(() => order.length === 1)
    await merge('Widget', 'd', { spec: { touched: true } })
    await eventually(() => operator.why(ref('d')).length === 2)
    open()
    await operator.idle()
    expect(order).toEqual(['a', 'd', 'b', 'c'])
  })

  it('does not run for changes of the status alone', async () => {
    const { operate, widget, merge, client } = await stage()
    let runs = 0
    const operator = await operate(widgets(async () => void runs++))
    await widget('a')
    await eventually(() => runs === 1)
    const { status } = client.resourceOf<LooseObject>(WIDGET.apiVersion, WIDGET.kind)
    await status.patch({ name: 'a', namespace: NAMESPACE }, { status: { url: 'http://x' } })
    await merge('Widget', 'a', { spec: { size: 1 } })
    await eventually(() => runs === 2)
    await operator.idle()
    expect(runs).toBe(2)
    expect(operator.why(ref('a')).map(({ text }) => text)).toEqual(['created', 'changed'])
  })

  it('does not run for changes that a predicate refuses, except to delete and to resume', async () => {
    const { operate, widget, merge } = await stage()
    const seen: unknown[] = []
    const operator = await operate(
      widgets(async (run) => void seen.push(run.object.spec?.size), { predicate: () => false }),
    )
    await widget('a', { spec: { size: 1 }, metadata: { annotations: { 'homeostat.dev/paused': 'true' } } })
    await merge('Widget', 'a', { spec: { size: 2 } })
    await merge('Widget', 'a', { metadata: { annotations: { 'homeostat.dev/paused': null } } })
    await eventually(() => seen.length === 1)
    await operator.idle()
    expect(seen).toEqual([2])
  })
})

describe('a time between runs that is shorter than 100 ms', () => {
  it('is raised, and the log says so once', async () => {
    const { operate, widget } = await stage()
    const clock = manual()
    const said: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => void said.push(message) }
    let runs = 0
    const hurried = widgets(async () => {
      if (++runs % 2 === 0) throw waiting('Later', 'not yet', { retryAfter: { milliseconds: 3 } })
      return { requeueAfter: '10ms' }
    })
    const operator = await operate(hurried, { clock, log })
    await widget('a')
    for (const expected of [1, 2, 3]) {
      await eventually(() => runs === expected)
      await operator.idle()
      clock.advance(99)
      expect([operator.sizes().delayed, runs]).toEqual([1, expected])
      clock.advance(1)
    }
    await eventually(() => runs === 4)
    expect(said).toEqual(['Widget is to be run again after 10 ms; the shortest time is 100 ms'])
  })

  it('that is no duration fails the run', async () => {
    const { operate, widget } = await stage()
    const said: string[] = []
    const error = (fields: object) => void said.push(String((fields as { err: unknown }).err))
    const log = { debug() {}, info() {}, warn() {}, error }
    await operate(
      widgets(async () => ({ requeueAfter: 10 }) as unknown as Outcome),
      { log },
    )
    await widget('a')
    await eventually(() => said.length > 0)
    expect(said[0]).toBe("Error: 10 is not a duration: write '10s', '1h30m' or { seconds: 10 }")
  })
})
