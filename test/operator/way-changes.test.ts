// An operator that watched pulls from now on, or the other way round: its objects are cleaned up and go, also those that
// earlier versions of it made.

import { silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { operator, type Running, type RunOptions, run } from '@homeostat/operator'
import { testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const a = { name: 'a', namespace: 'default' }
const FINALIZER = 'ex.io/finalizer'
const WATCHING = {}
const PULLING = { pull: { executorType: 'sites', colony: 'default' } }

async function start() {
  const colony = await testColony()
  onTestFinished(() => colony.close())
  const { client } = colony
  const cleaned: string[] = []
  const site = operator('ex.io/v1/Site', { spec: z.object({}) }, () => [], {
    finalize: ({ name }) => void cleaned.push(name),
  })
  const operate = async (options: RunOptions): Promise<Running> => {
    const running = run(site, { client, name: 'sites', log: silentLog, ...options })
    onTestFinished(() => running.close())
    await running.ready
    return running
  }
  const sites = client.resourceOf<LooseObject>('ex.io/v1', 'Site')
  const finalizers = async () => (await sites.get(a)).metadata.finalizers ?? []
  const ready = () => until(async () => expect((await sites.get(a)).status?.conditions).not.toBeUndefined())
  const gone = () => until(async () => expect(await sites.find(a)).toBeUndefined())
  const handler = async () => {
    const definitions = client.resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
    return (await definitions.get({ name: 'sites.ex.io' })).metadata.annotations?.['colonies.io/handler']
  }
  return { operate, sites, finalizers, ready, gone, handler, cleaned }
}

test.each([
  ['watched', 'pulls', WATCHING, PULLING],
  ['pulled', 'watches', PULLING, WATCHING],
])('an operator that %s and %s from now on cleans up, under one finalizer', async (_, __, before, after) => {
  const { operate, sites, finalizers, ready, gone, handler, cleaned } = await start()
  const first = await operate(before)
  await sites.create({ metadata: a, spec: {} })
  await ready()
  expect(await finalizers()).toEqual([FINALIZER])
  await first.close()
  await sites.delete(a)
  await operate(after)
  await gone()
  expect(cleaned).toEqual(['a'])
  expect(await handler()).toEqual(after === PULLING ? expect.stringContaining(FINALIZER) : undefined)
})

test('an operator that pulls now takes the finalizer off that an earlier version put on while it watched', async () => {
  const { operate, sites, finalizers, ready, gone, cleaned } = await start()
  const first = await operate(PULLING)
  await first.close()
  await sites.create({ metadata: { ...a, finalizers: ['ex.io/sites'] }, spec: {} })
  const b = { ...a, name: 'b' }
  await sites.create({ metadata: { ...b, finalizers: ['ex.io/sites'] }, spec: {} })
  await until(async () => expect((await sites.get(b)).metadata.finalizers).toContain(FINALIZER))
  await sites.delete(b)
  await operate(PULLING)
  await until(async () => expect(await sites.find(b)).toBeUndefined())
  expect(cleaned).toEqual(['b'])
  await ready()
  expect(await finalizers()).toEqual([FINALIZER])
  await sites.delete(a)
  await gone()
  expect(cleaned).toEqual(['b', 'a'])
})

test('a resource that a colony holds by its own finalizer is cleaned up and goes', async () => {
  const { operate, sites, finalizers, ready, gone, cleaned } = await start()
  const first = await operate(PULLING)
  await sites.create({ metadata: { ...a, finalizers: ['colonies.io/handler'] }, spec: {} })
  await ready()
  expect(await finalizers()).toEqual(['colonies.io/handler'])
  await first.close()
  await operate(PULLING)
  await sites.delete(a)
  await gone()
  expect(cleaned).toEqual(['a'])
})
