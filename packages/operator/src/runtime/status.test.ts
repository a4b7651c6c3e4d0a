// The status that reconciles write, on a real server.

import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import type { Controlled } from './controlled.ts'
import { conditionOf, define, definition, NAMESPACE, stage, WIDGET } from './operate.fixture.ts'
import { terminal, waiting } from './outcome.ts'
import type { EventInput, Outcome, ReconcileContext } from './reconcile-context.ts'

const reporting = (
  reconcile: (run: ReconcileContext<LooseObject>) => Promise<Outcome>,
  more: object = {},
): Controlled => ({
  ...controller('example.com/v1', 'Widget', { reconcile, ...more }),
  definition: definition('Widget'),
})
const ref = (name: string) => ({ ...WIDGET, name, namespace: NAMESPACE })
const STATUS = `PATCH /apis/example.com/v1/namespaces/${NAMESPACE}/widgets/a/status`

describe('the status of a run', () => {
  it('is one write with all conditions, and none when nothing is new', async () => {
    const { operate, widget, find } = await stage()
    const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
    const make = () =>
      reporting(async (run) => {
        await run.conditions.set('Zeta', { status: 'True', reason: 'Fine', message: 'all is well' })
        await run.conditions.set('Alpha', { status: 'False' })
        run.patchStatus({ url: 'http://x', counts: { a: 1 } })
        run.patchStatus({ counts: { b: 2 } })
      })
    const operator = await operate(make(), { clock })
    await widget('a')
    await eventually(async () => conditionOf(await find('Widget', 'a'), 'Ready') === 'True Reconciled')
    await operator.idle()
    expect(operator.writes).toEqual([STATUS])
    const { status } = (await find('Widget', 'a')) ?? {}
    expect(status).toMatchObject({ url: 'http://x', counts: { a: 1, b: 2 }, observedGeneration: 1 })
    expect(status?.conditions?.find(({ type }) => type === 'Zeta')).toEqual({
      type: 'Zeta',
      status: 'True',
      reason: 'Fine',
      message: 'all is well',
      lastTransitionTime: '2030-01-01T00:00:00Z',
      observedGeneration: 1,
    })
    clock.advance(60_000)
    operator.queue(ref('a'), 'test')
    await operator.idle()
    expect(operator.writes).toHaveLength(1)
    await operator.close()
    const second = await operate(make(), { clock })
    await eventually(() => second.runs === 1)
    await second.idle()
    expect(second.writes).toEqual([])
  })

  it('moves the time of a condition only when it flips', async () => {
    const { operate, widget, find, merge } = await stage()
    const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
    const operator = await operate(
      reporting(async (run) => {
        const ok = run.object.spec?.ok === true
        await run.conditions.set('Ok', { status: ok ? 'False' : 'True' })
        await run.conditions.set('Ok', { status: ok ? 'True' : 'False', message: String(run.object.spec?.note) })
      }),
      { clock },
    )
    const time = async () => {
      const object = await find('Widget', 'a')
      return object?.status?.conditions?.find(({ type }) => type === 'Ok')?.lastTransitionTime
    }
    const step = async (spec: object, generation: number) => {
      clock.advance(60_000)
      await merge('Widget', 'a', { spec })
      await eventually(async () => (await find('Widget', 'a'))?.status?.observedGeneration === generation)
      await operator.idle()
      return time()
    }
    await widget('a', { spec: { ok: true } })
    await eventually(async () => (await time()) !== undefined)
    await operator.idle()
    expect(await step({ note: 'new' }, 2)).toBe('2030-01-01T00:00:00Z')
    expect(await step({ ok: false }, 3)).toBe('2030-01-01T00:02:00Z')
    expect(await step({ note: 'newer' }, 4)).toBe('2030-01-01T00:02:00Z')
  })

  it('says how a run ended, each once', async () => {
    const { operate, widget, find, merge } = await stage()
    const events: string[] = []
    const sink = {
      record: (_: object, { type = 'Normal', reason }: EventInput) => events.push(`${type} ${reason}`),
      close: async () => {},
    }
    const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
    const operator = await operate(
      reporting(async (run) => {
        const { end } = run.object.spec ?? {}
        if (end === 'error') throw new Error('no database')
        if (end === 'waiting') throw waiting('DatabaseNotReady', 'waits for it')
        if (end === 'terminal') throw terminal('never', 'Hopeless')
        if (end === 'unready') await run.conditions.set('Ready', { status: 'False', reason: 'Starting' })
      }),
      { clock, events: sink },
    )
    const ready = (wanted: string) => async () => conditionOf(await find('Widget', 'a'), 'Ready') === wanted
    await widget('a', { spec: { end: 'error' } })
    await eventually(ready('False ReconcileFailed'))
    await operator.idle()
    const writes = operator.writes.length
    clock.advance(700)
    await eventually(() => operator.runs === 2)
    await operator.idle()
    expect(operator.writes).toHaveLength(writes)
    expect((await find('Widget', 'a'))?.status?.conditions?.[0]?.message).toBe('no database')
    await merge('Widget', 'a', { spec: { end: 'waiting' } })
    await eventually(ready('False DatabaseNotReady'))
    await merge('Widget', 'a', { spec: { end: 'terminal' } })
    await eventually(ready('False Hopeless'))
    await merge('Widget', 'a', { spec: { end: 'unready' } })
    await eventually(ready('False Starting'))
    await merge('Widget', 'a', { spec: { end: null } })
    await eventually(ready('True Reconciled'))
    await operator.idle()
    expect(events).toEqual([
      'Warning ReconcileFailed',
      'Normal DatabaseNotReady',
      'Warning Hopeless',
      'Normal Starting',
      'Normal Ready',
    ])
  })

  it('takes out what setStatus leaves out, keeps what others wrote, and removes conditions that are removed', async () => {
    const { operate, widget, find, merge, client } = await stage()
    const operator = await operate(
      reporting(async (run) => {
        if (run.object.spec?.step === 2) {
          run.setStatus({ counts: { a: 1 } })
          run.conditions.remove('Mine')
          return
        }
        run.setStatus({ url: 'http://x', counts: { a: 1, b: 2 } })
        await run.conditions.set('Mine', { status: 'True' })
      }),
    )
    await widget('a')
    await eventually(async () => conditionOf(await find('Widget', 'a'), 'Mine') !== undefined)
    const { status } = client.resourceOf<LooseObject>(WIDGET.apiVersion, WIDGET.kind)
    const theirs = {
      type: 'Theirs',
      status: 'True',
      reason: 'X',
      message: '',
      lastTransitionTime: '2030-01-01T00:00:00Z',
    }
    const manifest = { ...WIDGET, metadata: { name: 'a', namespace: NAMESPACE }, status: { conditions: [theirs] } }
    await status.apply(manifest as object, { fieldManager: 'other' })
    await merge('Widget', 'a', { spec: { step: 2 } })
    await eventually(async () => (await find('Widget', 'a'))?.status?.observedGeneration === 2)
    await operator.idle()
    const after = await find('Widget', 'a')
    expect(after?.status).toMatchObject({ counts: { a: 1 } })
    expect(after?.status).not.toHaveProperty('url')
    expect(after?.status?.conditions?.map(({ type }) => type).sort()).toEqual(['Ready', 'Theirs'])
  })

  it('goes with the object where the kind has no status of its own, without a loop', async () => {
    const { operate, client } = await stage()
    await define(client, 'Plain', { subresource: false })
    let runs = 0
    const plain = {
      ...controller('example.com/v1', 'Plain', async (run) => {
        runs++
        run.patchStatus({ url: 'http://x' })
      }),
      definition: definition('Plain', { subresource: false }),
    }
    const operator = await operate(plain)
    const access = client.resourceOf<LooseObject>('example.com/v1', 'Plain')
    const metadata = { name: 'p', namespace: NAMESPACE }
    await access.create({ apiVersion: 'example.com/v1', kind: 'Plain', metadata, spec: { size: 1 } } as object)
    const done = await eventually(async () => {
      const object = await access.get(metadata)
      return conditionOf(object, 'Ready') === undefined ? undefined : object
    })
    await operator.idle()
    expect(done.status).toMatchObject({ url: 'http://x' })
    expect(done.status).not.toHaveProperty('observedGeneration')
    expect([runs, operator.writes.length]).toEqual([1, 1])
  })

  it('does not touch kinds that it says nothing about', async () => {
    const { operate, widget } = await stage()
    const operator = await operate(controller('example.com/v1', 'Widget', async () => {}))
    await widget('a')
    await eventually(() => operator.runs === 1)
    await operator.idle()
    expect(operator.writes).toEqual([])
  })

  it('is left out when the object is gone before the run ends', async () => {
    const { operate, widget, delete: remove } = await stage()
    const errors: object[] = []
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => errors.push(fields) }
    let [started, go] = [false, () => {}]
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const operator = await operate(
      reporting(async () => {
        started = true
        await gate
      }),
      { log },
    )
    await widget('a')
    await eventually(() => started)
    await remove('Widget', 'a')
    await widget('a')
    go()
    await eventually(() => operator.runs === 2)
    await operator.idle()
    expect(errors).toEqual([])
  })
})
