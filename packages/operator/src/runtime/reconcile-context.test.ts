// What a reconcile reads and writes, on a real server.

import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, configMap, define, NAMESPACE, stage, WIDGET } from './operate.fixture.ts'
import type { Applied, ReconcileContext } from './reconcile-context.ts'

const child = (name: string, data: Record<string, string> = {}) => ({ ...CONFIG_MAP, metadata: { name }, data })
const widgets = (reconcile: (run: ReconcileContext<LooseObject>) => Promise<void>) =>
  controller('example.com/v1', 'Widget', { reconcile })

describe('apply', () => {
  it('is seen by the next read of the same run, and by the next run', async () => {
    const { operate, widget } = await stage()
    const seen: unknown[] = []
    const operator = await operate(
      widgets(async (run) => {
        const before = await run.read<LooseObject>({ ...CONFIG_MAP, name: 'child' })
        const { object } = await run.apply<LooseObject>(child('child', { a: 'b' }))
        const after = await run.read<LooseObject>({ ...CONFIG_MAP, name: 'child' })
        seen.push([before?.data, object.data, after?.data])
      }),
    )
    await widget('a')
    await eventually(() => seen.length > 0)
    await operator.idle()
    expect(seen[0]).toEqual([undefined, { a: 'b' }, { a: 'b' }])
    expect(seen.at(-1)).toEqual([{ a: 'b' }, { a: 'b' }, { a: 'b' }])
  })

  it('is seen at once, also when the watch is far behind; so is a removal', async () => {
    const { operate, widget } = await stage()
    const seen: unknown[] = []
    const operator = await operate(
      widgets(async (run) => {
        const before = await run.readAll(CONFIG_MAP, { namespace: NAMESPACE })
        if (run.object.metadata.name === 'first') return
        await run.apply(child('child', { a: 'b' }))
        const read = await run.read<LooseObject>({ ...CONFIG_MAP, name: 'child' })
        const all = await run.readAll(CONFIG_MAP, { namespace: NAMESPACE })
        await run.remove({ ...CONFIG_MAP, name: 'child' })
        const after = await run.read({ ...CONFIG_MAP, name: 'child' })
        seen.push([read?.data, all.length - before.length, after])
      }),
    )
    await widget('first')
    await eventually(() => operator.runs === 1)
    await operator.idle()
    const release = operator.holdWatches('configmaps')
    await widget('second')
    await eventually(() => seen.length > 0)
    await operator.close()
    release()
    expect(seen[0]).toEqual([{ a: 'b' }, 1, undefined])
  })

  it('sends nothing when all is as it was applied, also after a restart and with defaults of the server', async () => {
    const { operate, widget, client } = await stage()
    const applied: Applied[] = []
    const ports = [{ port: 80, name: 'web' }]
    const make = () =>
      widgets(async (run) => {
        const metadata = { name: 'svc', labels: { app: 'x' } }
        applied.push(
          await run.apply({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports, selector: { app: 'x' } } }),
        )
        applied.push(await run.apply(child('child', { a: 'b' })))
        applied.push(await run.apply({ ...child('empty', { a: 'b' }), metadata: { name: 'empty', annotations: {} } }))
      })
    const first = await operate(make())
    await widget('a')
    await eventually(() => applied.length >= 3)
    await first.idle()
    expect(first.writes).toHaveLength(3)
    expect(applied.slice(0, 3).map(({ changed }) => changed)).toEqual([true, true, true])
    await first.close()
    const live = await client.resource('v1', 'Service').get({ name: 'svc', namespace: NAMESPACE })
    expect(live.spec).toHaveProperty('type')
    applied.length = 0
    const second = await operate(make())
    await eventually(() => applied.length >= 3)
    await second.idle()
    expect(second.writes).toEqual([])
    expect(applied.every(({ changed }) => !changed)).toBe(true)
  })

  it('does not send again what the server keeps in another form', async () => {
    const { operate, widget } = await stage()
    let runs = 0
    const operator = await operate(
      widgets(async (run) => {
        runs++
        await run.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'plain' } })
      }),
    )
    await widget('a')
    await eventually(() => runs > 0)
    await operator.idle()
    operator.queue({ ...WIDGET, name: 'a', namespace: NAMESPACE }, 'test')
    await operator.idle()
    expect(runs).toBeGreaterThan(1)
    expect(operator.writes).toHaveLength(1)
  })

  it('puts back what others changed, and takes out what is no longer wanted', async () => {
    const { operate, widget, find, merge } = await stage()
    const operator = await operate(
      widgets(async (run) => {
        await run.apply(child('child', (run.object.spec ?? {}) as Record<string, string>))
      }),
    )
    await widget('a', { spec: { one: '1', two: '2' } })
    await eventually(async () => (await find('ConfigMap', 'child'))?.data?.two === '2')
    await merge('ConfigMap', 'child', { data: { one: 'other', theirs: 'x' } })
    await eventually(async () => (await find('ConfigMap', 'child'))?.data?.one === '1')
    await merge('Widget', 'a', { spec: { two: null } })
    await eventually(async () => (await find('ConfigMap', 'child'))?.data?.two === undefined)
    await operator.idle()
    expect((await find('ConfigMap', 'child'))?.data).toEqual({ one: '1', theirs: 'x' })
  })
})

describe('tracked reads', () => {
  it('run the key again when what was read appears, changes and goes', async () => {
    const { operate, widget, create, merge, delete: remove } = await stage()
    const seen: unknown[] = []
    const operator = await operate(
      widgets(async (run) => {
        const found = await run.read<LooseObject>({ ...CONFIG_MAP, name: 'settings' })
        seen.push(found?.data?.a)
      }),
    )
    await widget('a')
    await eventually(() => seen.length === 1)
    await create(configMap('settings', { a: '1' }))
    await eventually(() => seen.at(-1) === '1')
    await create(configMap('other'))
    await merge('ConfigMap', 'settings', { data: { a: '2' } })
    await eventually(() => seen.at(-1) === '2')
    await remove('ConfigMap', 'settings')
    await eventually(() => seen.at(-1) === undefined)
    await operator.idle()
    expect(seen).toEqual([undefined, '1', '2', undefined])
    const why = operator.why({ ...WIDGET, name: 'a', namespace: NAMESPACE }).map(({ text }) => text)
    expect(why).toEqual([
      'created',
      ...['appeared', 'changed', 'went'].map((word) => `ConfigMap default/settings ${word}`),
    ])
  })

  it('of a selection run the key again when an object comes into it, and when one leaves it', async () => {
    const { operate, widget, create, merge } = await stage()
    const seen: string[] = []
    await operate(
      widgets(async (run) => {
        const labels = { app: 'x', tier: 'web' }
        const all = await run.readAll(CONFIG_MAP, { namespace: NAMESPACE, labels })
        seen.push(all.map(({ metadata }) => metadata.name).join())
      }),
    )
    await create(configMap('one', {}, { app: 'x', tier: 'web' }))
    await widget('a')
    await eventually(() => seen.at(-1) === 'one')
    await create(configMap('no', {}, { app: 'x', tier: 'db' }))
    await create(configMap('two', {}, { app: 'x', tier: 'web' }))
    await eventually(() => seen.at(-1) === 'one,two')
    await merge('ConfigMap', 'one', { metadata: { labels: { tier: 'db' } } })
    await eventually(() => seen.at(-1) === 'two')
    expect(seen).toEqual(['one', 'one,two', 'two'])
  })

  it('are replaced by those of the next run', async () => {
    const { operate, widget, create, merge } = await stage()
    await create(configMap('one'))
    await create(configMap('two'))
    let runs = 0
    const operator = await operate(
      widgets(async (run) => {
        runs++
        await run.read({ ...CONFIG_MAP, name: String(run.object.spec?.reads) })
      }),
    )
    await widget('a', { spec: { reads: 'one' } })
    await eventually(() => runs === 1)
    await merge('Widget', 'a', { spec: { reads: 'two' } })
    await eventually(() => runs === 2)
    await merge('ConfigMap', 'one', { data: { x: 'y' } })
    await merge('ConfigMap', 'two', { data: { x: 'y' } })
    await eventually(() => runs === 3)
    await operator.idle()
    expect(operator.why({ ...WIDGET, name: 'a', namespace: NAMESPACE }).at(-1)?.text).toMatch(/two changed$/)
    expect(runs).toBe(3)
  })

  it('of a kind that is not there answer nothing, and run the key when it is', async () => {
    const { operate, widget, client } = await stage()
    const seen: unknown[] = []
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget' }
    await operate(
      widgets(async (run) => {
        const one = await run.read({ ...gadget, name: 'g' })
        const all = await run.readAll(gadget)
        seen.push([one?.metadata.name, all.length])
      }),
    )
    await widget('a')
    await eventually(() => seen.length === 1)
    await define(client, 'Gadget')
    await eventually(() => seen.length === 2)
    await client
      .resourceOf(gadget.apiVersion, 'Gadget')
      .create({ ...gadget, metadata: { name: 'g', namespace: NAMESPACE } })
    await eventually(() => JSON.stringify(seen.at(-1)) === '["g",1]')
  })
})

describe('a run', () => {
  it('is aborted when it takes too long, counts as failed, and its object waits until it really ends', async () => {
    const { operate, widget } = await stage()
    const clock = new ManualClock(Date.now())
    const errors: string[] = []
    const signals: AbortSignal[] = []
    const gates: (() => void)[] = []
    const slow = controller('example.com/v1', 'Widget', {
      timeout: '30s',
      async reconcile(run) {
        signals.push(run.signal)
        if (gates.length < 2) await new Promise<void>((resolve) => gates.push(resolve))
        await run.apply(child('late'))
      },
    })
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => errors.push(String(Object(fields).err)) }
    const operator = await operate(slow, { clock, log })
    await widget('a')
    await eventually(() => signals.length === 1)
    clock.advance(30_000)
    expect(signals[0]?.aborted).toBe(true)
    clock.advance(5000)
    await eventually(() => errors.length === 1)
    expect(errors[0]).toMatch(/longer than its timeout of 30000 ms/)
    clock.advance(600_000)
    expect(signals).toHaveLength(1)
    gates[0]?.()
    await eventually(() => signals.length === 2)
    gates[1]?.()
    await operator.idle()
    expect(operator.writes).toHaveLength(1)
  })

  it('that was not awaited in full cannot act any more', async () => {
    const { operate, widget } = await stage()
    const late: unknown[] = []
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const operator = await operate(
      widgets(async (run) => {
        void gate.then(() => run.apply(child('late'))).catch((error: unknown) => late.push(String(error)))
      }),
    )
    await widget('a')
    await eventually(() => operator.runs === 1)
    await operator.idle()
    go()
    await eventually(() => late.length === 1)
    expect(late[0]).toMatch(/has ended/)
    expect(operator.writes).toEqual([])
  })
})
