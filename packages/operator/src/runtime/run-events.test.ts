// The Events of runs, on a real server: only runs that changed something are told, and with what queued them.

import { eventually } from '@homeostat/base/testing/eventually'
import type { Client, LooseObject } from '@homeostat/client'
import { parseRun, RUN_ANNOTATION, type RunRecord } from '@homeostat/meta/events'
import { expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, configMap, NAMESPACE, stage } from './operate.fixture.ts'
import type { ReconcileContext } from './reconcile-context.ts'

const widgets = (reconcile: (run: ReconcileContext<LooseObject>) => Promise<void>) =>
  controller('example.com/v1', 'Widget', { reconcile })

async function runsOf(client: Client, name: string): Promise<RunRecord[]> {
  const { items } = await client.resourceOf<LooseObject>('events.k8s.io/v1', 'Event').list({ namespace: NAMESPACE })
  return items.flatMap((event) => {
    const { name: about } = (event as unknown as { regarding: { name: string } }).regarding
    return about === name ? (parseRun(event.metadata.annotations?.[RUN_ANNOTATION]) ?? []) : []
  })
}

it('a run tells what queued it and what it wrote, through whichever client', async () => {
  const { operate, widget, client, create } = await stage()
  await create(configMap('settings', { a: '1' }))
  const operator = await operate(
    widgets(async (run) => {
      await run.read({ ...CONFIG_MAP, name: 'settings' })
      await run.apply({ ...CONFIG_MAP, metadata: { name: 'child' }, data: {} })
      const access = run.client.resourceOf<LooseObject>('v1', 'ConfigMap')
      const other = await access.find({ name: 'other', namespace: NAMESPACE })
      if (other === undefined) await access.create(configMap('other') as LooseObject)
    }),
    { tells: true },
  )
  const made = await widget('a')
  const told = await eventually(async () => (await runsOf(client, 'a'))[0])
  expect(told.triggers).toMatchObject([
    { text: 'created', object: { kind: 'Widget', name: 'a' }, resourceVersion: made.metadata.resourceVersion },
  ])
  expect(told.writes).toMatchObject([
    { did: 'created', object: { kind: 'ConfigMap', namespace: NAMESPACE, name: 'child' } },
    { did: 'created', object: { kind: 'ConfigMap', namespace: NAMESPACE, name: 'other' } },
  ])
  const child = await client.resourceOf('v1', 'ConfigMap').get({ name: 'child', namespace: NAMESPACE })
  expect(told.writes[0]?.resourceVersion).toBe(child.metadata.resourceVersion)
  await operator.idle()

  const before = operator.runs
  const patch = { data: { a: '2' } }
  const access = client.resourceOf<LooseObject>('v1', 'ConfigMap')
  await access.patch({ name: 'settings', namespace: NAMESPACE }, patch, { fieldManager: 'ada' })
  await eventually(() => operator.runs > before)
  await operator.idle()
  await operator.close()
  expect(await runsOf(client, 'a')).toHaveLength(1)
})

it('a run that sends writes which change nothing is not told', async () => {
  const { operate, widget, client, create, merge } = await stage()
  await create(configMap('known', { a: '1' }))
  let runs = 0
  const operator = await operate(
    widgets(async (run) => {
      runs++
      const access = run.client.resourceOf<LooseObject>('v1', 'ConfigMap')
      await access.get({ name: 'known', namespace: NAMESPACE })
      await access.patch({ name: 'known', namespace: NAMESPACE }, { data: { a: '1' } })
    }),
    { tells: true },
  )
  await widget('a')
  await eventually(() => runs === 1)
  await merge('Widget', 'a', { spec: { size: 2 } })
  await eventually(() => runs === 2)
  await operator.close()
  expect(await runsOf(client, 'a')).toEqual([])
})

it('runs that Events alone cause are not told: their own Event would cause the next', async () => {
  const { operate, widget, client } = await stage()
  let counted = 0
  const eventful = {
    ...widgets(async (run) => {
      counted++
      await run.client
        .resourceOf<LooseObject>('example.com/v1', 'Widget')
        .patch({ name: 'a', namespace: NAMESPACE }, { metadata: { annotations: { counted: String(counted) } } })
    }),
    predicate: () => false,
    watches: [{ apiVersion: 'v1', kind: 'Event', map: () => [{ name: 'a', namespace: NAMESPACE }] }],
  }
  const operator = await operate(eventful, { tells: true })
  await widget('a')
  await client.resourceOf<LooseObject>('v1', 'Event').create({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'one', namespace: NAMESPACE },
    involvedObject: { kind: 'Widget', name: 'b', namespace: NAMESPACE },
  } as LooseObject)
  await eventually(() => counted > 0)
  await operator.close()
  const told = (await runsOf(client, 'a')).flatMap(({ triggers }) => triggers.map(({ object }) => object?.kind))
  expect(told).not.toContain('Event')
  // The run of the creation is told; its Event caused one more run, and that ended it.
  expect(told.length).toBeLessThanOrEqual(1)
  expect(counted).toBeLessThanOrEqual(4)
})
