// Cleanup, finalizers and pauses, on a real server.

import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import type { Controlled } from './controlled.ts'
import { conditionOf, definition, stage } from './operate.fixture.ts'
import type { Outcome, ReconcileContext } from './reconcile-context.ts'

const FINALIZER = 'example.com/test'
const PAUSED = 'homeostat.dev/paused'
type Work = (run: ReconcileContext<LooseObject>) => Promise<Outcome>
const cleaning = (reconcile: Work, cleanup: Work, more: object = {}): Controlled =>
  controller('example.com/v1', 'Widget', { reconcile, cleanup, ...more })

describe('cleanup', () => {
  it('puts a finalizer on before the first reconcile, in one run, and takes it off when it succeeded', async () => {
    const { operate, widget, find, delete: remove } = await stage()
    const seen: string[] = []
    const operator = await operate(
      cleaning(
        async (run) => void seen.push(`reconcile ${run.object.metadata.finalizers}`),
        async (run) => void seen.push(`cleanup ${run.object.metadata.deletionTimestamp !== undefined}`),
      ),
    )
    await widget('a')
    await eventually(() => seen.length === 1)
    await operator.idle()
    expect(operator.runs).toBe(1)
    expect((await find('Widget', 'a'))?.metadata.finalizers).toEqual([FINALIZER])
    await remove('Widget', 'a')
    await eventually(async () => (await find('Widget', 'a')) === undefined)
    await operator.idle()
    expect(seen).toEqual([`reconcile ${FINALIZER}`, 'cleanup true'])
    await eventually(() => operator.sizes().states === 0)
  })

  it('that fails keeps the object, and is tried again; the finalizers of others stay', async () => {
    const { operate, widget, find, merge, delete: remove } = await stage()
    const clock = new ManualClock(Date.now())
    let cleanups = 0
    const operator = await operate(
      cleaning(
        async () => {},
        async () => {
          cleanups++
          if (cleanups === 1) throw new Error('still in use')
          if (cleanups === 2) return { requeueAfter: '1s' }
          return undefined
        },
      ),
      { clock },
    )
    await widget('a', { metadata: { finalizers: ['example.com/theirs'] } })
    await eventually(async () => (await find('Widget', 'a'))?.metadata.finalizers?.length === 2)
    await remove('Widget', 'a')
    await eventually(() => cleanups === 1)
    await operator.idle()
    expect((await find('Widget', 'a'))?.metadata.finalizers).toContain(FINALIZER)
    clock.advance(1000)
    await eventually(() => cleanups === 2)
    await operator.idle()
    expect((await find('Widget', 'a'))?.metadata.finalizers).toContain(FINALIZER)
    clock.advance(1000)
    await eventually(async () => (await find('Widget', 'a'))?.metadata.finalizers?.length === 1)
    expect((await find('Widget', 'a'))?.metadata.finalizers).toEqual(['example.com/theirs'])
    await merge('Widget', 'a', { metadata: { finalizers: [] } })
    await eventually(() => operator.sizes().states === 0)
    expect(cleanups).toBe(3)
  })

  it('respects what others put on and take off meanwhile', async () => {
    const { operate, widget, find, merge, delete: remove } = await stage()
    let step = 0
    const operator = await operate(
      cleaning(
        async () => {},
        async () => {
          await merge('Widget', 'a', { metadata: { finalizers: [FINALIZER] } })
        },
        {
          async needsCleanup() {
            if (step++ === 0) await merge('Widget', 'a', { metadata: { finalizers: ['example.com/early'] } })
            return true
          },
        },
      ),
    )
    await widget('a')
    await eventually(async () => (await find('Widget', 'a'))?.metadata.finalizers?.includes(FINALIZER))
    await operator.idle()
    expect((await find('Widget', 'a'))?.metadata.finalizers).toEqual(['example.com/early', FINALIZER])
    await remove('Widget', 'a')
    await eventually(async () => (await find('Widget', 'a')) === undefined)
  })

  it('is asked per object where the behaviour can say', async () => {
    const { operate, widget, find } = await stage()
    const needsCleanup = async (run: ReconcileContext<LooseObject>) => run.object.spec?.external === true
    const operator = await operate(
      cleaning(
        async () => {},
        async () => {},
        { needsCleanup },
      ),
    )
    await widget('inside')
    await widget('outside', { spec: { external: true } })
    await eventually(async () => (await find('Widget', 'outside'))?.metadata.finalizers !== undefined)
    await eventually(() => operator.runs === 2)
    await operator.idle()
    expect((await find('Widget', 'inside'))?.metadata.finalizers).toBeUndefined()
  })

  it('is left out for an object that is abandoned, with a warning', async () => {
    const { operate, widget, find, merge, delete: remove } = await stage()
    const events: object[] = []
    const events_ = { record: (_: object, event: object) => events.push(event), close: async () => {} }
    let cleanups = 0
    const operator = await operate(
      cleaning(
        async () => {},
        async () => {
          cleanups++
          throw new Error('never')
        },
      ),
      { events: events_, clock: new ManualClock(Date.now()) },
    )
    await widget('a')
    await eventually(async () => (await find('Widget', 'a'))?.metadata.finalizers !== undefined)
    await remove('Widget', 'a')
    await eventually(() => cleanups === 1)
    await operator.idle()
    await merge('Widget', 'a', { metadata: { annotations: { 'homeostat.dev/abandon': 'true' } } })
    await eventually(async () => (await find('Widget', 'a')) === undefined)
    expect(events).toMatchObject([{ type: 'Warning', reason: 'Abandoned' }])
    expect(cleanups).toBe(1)
  })

  it('of an earlier version of the operator does not hold objects of one that has none', async () => {
    const { operate, widget, find, delete: remove } = await stage()
    await widget('a', { metadata: { finalizers: [FINALIZER] } })
    const operator = await operate(controller('example.com/v1', 'Widget', async () => {}))
    await eventually(() => operator.runs === 1)
    await remove('Widget', 'a')
    await eventually(async () => (await find('Widget', 'a')) === undefined)
  })

  it('is not run for objects that go without its finalizer', async () => {
    const { operate, widget, merge, delete: remove } = await stage()
    const seen: string[] = []
    await widget('a', { metadata: { finalizers: ['example.com/theirs'] } })
    await remove('Widget', 'a')
    const operator = await operate(
      cleaning(
        async () => void seen.push('r'),
        async () => void seen.push('c'),
      ),
    )
    await merge('Widget', 'a', { metadata: { labels: { a: 'b' } } })
    await eventually(() => operator.runs === 2)
    await operator.idle()
    expect([seen, operator.writes]).toEqual([[], []])
  })
})

describe('the pause annotation', () => {
  it('stops runs and cleanup, says so once, and lets them go on at once when it is gone', async () => {
    const { operate, widget, find, merge, delete: remove } = await stage()
    const seen: unknown[] = []
    const pausing = {
      ...cleaning(
        async (run) => void seen.push(run.object.spec?.size),
        async () => void seen.push('cleanup'),
      ),
      definition: definition('Widget'),
    }
    const operator = await operate(pausing)
    await widget('a', { spec: { size: 1 }, metadata: { annotations: { [PAUSED]: 'true' } } })
    await eventually(async () => conditionOf(await find('Widget', 'a'), 'Paused') === 'True Annotation')
    await operator.idle()
    await merge('Widget', 'a', { spec: { size: 2 } })
    await eventually(() => operator.runs === 2)
    await operator.idle()
    expect(seen).toEqual([])
    expect(operator.writes).toHaveLength(2)
    await merge('Widget', 'a', { metadata: { annotations: { [PAUSED]: null } } })
    await eventually(() => seen.length === 1)
    await operator.idle()
    expect(seen).toEqual([2])
    expect(conditionOf(await find('Widget', 'a'), 'Paused')).toBeUndefined()
    await merge('Widget', 'a', { metadata: { annotations: { [PAUSED]: 'true' } } })
    await remove('Widget', 'a')
    await eventually(async () => conditionOf(await find('Widget', 'a'), 'Paused') !== undefined)
    await operator.idle()
    expect(seen).toEqual([2])
    await merge('Widget', 'a', { metadata: { annotations: { [PAUSED]: 'no' } } })
    await eventually(async () => (await find('Widget', 'a')) === undefined)
    expect(seen).toEqual([2, 'cleanup'])
  })
})
