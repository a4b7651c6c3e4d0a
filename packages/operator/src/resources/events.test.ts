// The Events of a class-style object in `kubectl describe`: one for each change of state, and no others.

import { eventually } from '@homeostat/base/testing/eventually'
import type { ApiObject } from '@homeostat/client'
import { expect, it } from 'vitest'
import { waiting } from '../runtime/outcome.ts'
import type { EventInput } from '../runtime/reconcile-context.ts'
import { stage } from './class-style.fixture.ts'
import { type Site, siteKind } from './site.fixture.ts'

const site = { apiVersion: 'class.test/v1', kind: 'Site', name: 'a', namespace: 'default' }

async function reconcile(one: Site): Promise<void> {
  const { spec } = one
  if (spec.text === 'waits') throw waiting('DatabaseMissing', 'waits for the database')
  if (spec.text === 'broken') throw new Error('the disk is on fire')
  if (spec.text !== 'part') return
  await one.reconcileSubresource('Disk', async () => ({ ready: false, failed: true, message: 'hot' }))
}

it('tells what it waits for, why it failed and that it is ready, each once', async () => {
  const told: string[] = []
  const events = {
    record: ({ metadata }: ApiObject, { type = 'Normal', reason, message }: EventInput) =>
      void told.push(`${metadata.name} ${type} ${reason}: ${message}`),
    close: async () => {},
  }
  const { operate, create, merge, untilCondition } = await stage()
  const kind = siteKind((one) => reconcile(one))
  const { running } = await operate([kind], { events })
  const since = async (condition: string) => {
    await untilCondition('Site', 'a', 'Ready', condition)
    await running.idle()
    return told.splice(0)
  }
  await create('Site', 'a', { text: 'waits' })
  expect(await since('False DatabaseMissing')).toEqual(['a Normal DatabaseMissing: waits for the database'])
  await merge('Site', 'a', { spec: { text: 'fine' } })
  expect(await since('True Reconciled')).toEqual(['a Normal Ready: it is as it shall be'])
  await merge('Site', 'a', { spec: { text: 'broken' } })
  expect(await since('False ReconcileFailed')).toEqual(['a Warning ReconcileFailed: the disk is on fire'])
  await merge('Site', 'a', { spec: { text: 'part' } })
  await eventually(() => told.length > 0)
  expect(told.splice(0)).toEqual(['a Warning ReconcileFailed: Disk: hot'])
  await merge('Site', 'a', { spec: { text: 'fine' } })
  expect(await since('True Reconciled')).toEqual(['a Normal Ready: it is as it shall be'])
  running.queue(site, 'idle')
  await merge('Site', 'a', { spec: { text: 'also fine' } })
  await running.idle()
  await running.close()
  await operate([kind], { events }).then((again) => again.running.idle())
  expect(told).toEqual([])
})
