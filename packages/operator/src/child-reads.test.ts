// The cost of a reconcile whose children need no change: each kind is discovered once, each object read once.

import { eventually } from '@homeostat/base/testing/eventually'
import type { Client, LooseObject } from '@homeostat/client'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { operator } from './functional/operator.ts'
import { conditionOf, GROUP, stage } from './resources/class-style.fixture.ts'
import { siteKind } from './resources/site.fixture.ts'
import type { Controlled } from './runtime/controlled.ts'

const NAMES = ['one', 'two', 'three']

it('children that a function returns', async () => {
  const site = operator(`${GROUP}/v1/Site`, { spec: z.object({}) }, ({ child }) => [
    ...NAMES.map((name) => child('v1', 'ConfigMap', { data: { name } }, { name })),
    child('v1', 'Service', { spec: { ports: [{ port: 80 }] } }, { name: 'front' }),
  ])
  expect(await costOfOneRun(site)).toEqual({
    discovered: ['v1/ConfigMap', 'v1/Service'],
    read: ['ConfigMap/one', 'ConfigMap/three', 'ConfigMap/two', 'Service/front'],
  })
})

it('a secret whose values are made once', async () => {
  const schema = z.object({ password: z.string() })
  const site = operator(`${GROUP}/v1/Site`, { spec: z.object({}) }, async ({ secret }) => {
    await secret('login', schema, () => ({ password: 'generated' }))
    return []
  })
  expect(await costOfOneRun(site)).toEqual({ discovered: ['v1/Secret'], read: ['Secret/login'] })
})

it('objects that a class owns', async () => {
  const site = siteKind(async (site) => {
    for (const name of NAMES) await site.own('v1', 'ConfigMap', name).ensure({ data: { name } })
  })
  expect(await costOfOneRun(site)).toEqual({
    discovered: ['v1/ConfigMap'],
    read: ['ConfigMap/one', 'ConfigMap/three', 'ConfigMap/two'],
  })
})

interface Cost {
  readonly discovered: readonly string[]
  readonly read: readonly string[]
}

/** Counts discovery calls and reads of other kinds' caches in a reconcile that writes nothing. */
async function costOfOneRun(kind: Controlled): Promise<Cost> {
  const { operate, connect, create, find } = await stage()
  const discovered: string[] = []
  const { running } = await operate([kind], { client: countingDiscovery(connect(), discovered) })
  await create('Site', 'a')
  await eventually(async () => isReady(await find('Site', 'a')))
  await running.idle()
  const read: string[] = []
  for (const informer of running.caches()) {
    if (informer.kind === 'Site') continue
    const get = informer.get.bind(informer)
    vi.spyOn(informer, 'get').mockImplementation((name) => {
      read.push(`${informer.kind}/${name.name}`)
      return get(name)
    })
  }
  discovered.length = 0
  const before = running.runs
  running.queue({ apiVersion: `${GROUP}/v1`, kind: 'Site', name: 'a', namespace: 'default' }, 'the test asks')
  await eventually(() => running.runs > before)
  await running.idle()
  expect(running.runs).toBe(before + 1)
  return { discovered: discovered.sort(), read: read.sort() }
}

function countingDiscovery(client: Client, discovered: string[]): Client {
  return {
    ...client,
    discover(apiVersion, kind, signal) {
      discovered.push(`${apiVersion}/${kind}`)
      return client.discover(apiVersion, kind, signal)
    },
  }
}

function isReady(object: LooseObject | undefined): boolean {
  return conditionOf(object, 'Ready')?.startsWith('True') ?? false
}
