// The guide's operator in both ways: as a watcher of its kind, and as an executor of a colony. The results are the same.
// Deployments have no controller here, so the test writes their status.

import { readFileSync } from 'node:fs'
import type { ApiObject, Client, LooseObject } from '@homeostat/client'
import { type RunOptions, run } from '@homeostat/operator'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test, vi } from 'vitest'
import { customResources } from './src/custom-resources/custom-resources.ts'
import { GROUP } from './src/group.ts'
import { webApp } from './src/web-app.ts'

const sample = readFileSync(`${import.meta.dirname}/my-app.yaml`, 'utf8')
const shop = { name: 'shop', namespace: 'default' }
const myApp = { name: 'my-app', namespace: 'default' }
const LABEL = 'MyResource/my-app'
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const WAYS: Readonly<Record<string, Pick<RunOptions, 'pull'>>> = {
  watching: {},
  pulled: { pull: { executorType: 'my-resource', colony: 'default', interval: '1h' } },
}

async function start(way: string, workers = 1): Promise<TestColony> {
  const colony = await testColony()
  onTestFinished(() => colony.close())
  for (let i = 0; i < workers; i++) {
    const running = run(customResources, webApp, {
      ...WAYS[way],
      client: colony.client,
      name: 'my-resource',
      log: quiet,
    })
    onTestFinished(() => running.close())
    await running.ready
  }
  return colony
}

/** Resolves with the object as soon as the condition holds. */
function until(client: Client, apiVersion: string, kind: string, name: object, check: (object: LooseObject) => void) {
  const access = client.resourceOf<ApiObject>(apiVersion, kind)
  return vi.waitFor(
    async () => {
      const object = (await access.get(name as typeof shop)) as LooseObject
      check(object)
      return object
    },
    { interval: 10, timeout: 120_000 },
  )
}

async function untilGone(client: Client, apiVersion: string, kind: string, name: typeof shop): Promise<void> {
  const access = client.resourceOf<ApiObject>(apiVersion, kind)
  await vi.waitFor(async () => expect(await access.find(name)).toBeUndefined(), { interval: 10, timeout: 120_000 })
}

const conditionOf = ({ status }: LooseObject, type: string) => {
  const found = status?.conditions?.find((condition) => condition.type === type)
  return found && `${found.status} ${found.reason}`
}

/** The parts that do not depend on time and place; without Progressing, which the colony writes itself. */
function comparable(object: LooseObject): object {
  const { conditions = [], ...status } = object.status ?? {}
  const said = conditions.filter(({ type }) => type !== 'Progressing').map(({ lastTransitionTime: _, ...rest }) => rest)
  const { name, namespace, labels, ownerReferences = [] } = object.metadata
  const owners = ownerReferences.map(({ uid: _, ...owner }) => owner)
  const conditionList = said.toSorted((a, b) => (a.type < b.type ? -1 : 1))
  return { ...object, metadata: { name, namespace, labels, owners }, status: { ...status, conditions: conditionList } }
}

async function reportPods(client: Client, name: typeof shop, ready: number): Promise<void> {
  const status = { replicas: ready, readyReplicas: ready, updatedReplicas: ready, observedGeneration: 1 }
  await client.resource('apps/v1', 'Deployment').status.patch(name, { status })
}

/** The guide's resource, from its creation to its end. */
async function liveMyApp(way: string): Promise<object> {
  const { client } = await start(way)
  const access = client.resourceOf<LooseObject>(`${GROUP}/v1`, 'MyResource')
  await client.request({
    method: 'PATCH',
    path: `/apis/${GROUP}/v1/namespaces/default/myresources/my-app?fieldManager=test`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: sample,
  })
  const seen: object[] = []
  const look = async (check: (object: LooseObject) => void) => {
    seen.push(comparable(await until(client, `${GROUP}/v1`, 'MyResource', myApp, check)))
  }
  await until(client, 'apps/v1', 'Deployment', myApp, () => {})
  await reportPods(client, myApp, 3)
  await look((object) => expect(conditionOf(object, 'Ready')).toBe('True Ready'))
  await access.patch(myApp, { spec: { replicas: 5 } })
  const changed = await until(client, 'apps/v1', 'Deployment', myApp, ({ spec }) => expect(spec?.replicas).toBe(5))
  const { status: _, ...deployment } = comparable(changed) as LooseObject
  const service = await until(client, 'v1', 'Service', myApp, () => {})
  const { clusterIP: __, clusterIPs: ___, ...served } = (service.spec ?? {}) as Record<string, unknown>
  await look((object) => {
    expect(object.status?.observedGeneration).toBe(object.metadata.generation)
    expect(conditionOf(object, 'Ready')).toBe('True Ready')
  })
  const processes = await client.resourceOf<LooseObject>('colonies.io/v1', 'Process').list()
  expect(new Set(processes.items.map(({ spec }) => spec?.label))).toEqual(new Set(way === 'pulled' ? [LABEL] : []))
  await access.delete(myApp)
  await untilGone(client, `${GROUP}/v1`, 'MyResource', myApp)
  await untilGone(client, 'apps/v1', 'Deployment', myApp)
  await untilGone(client, 'v1', 'Service', myApp)
  return { seen, deployment, served }
}

test('the guide’s resource ends the same, watched and pulled, with its children and in its deletion', async () => {
  const watched = await liveMyApp('watching')
  expect(await liveMyApp('pulled')).toEqual(watched)
  expect(watched).toMatchObject({ seen: [{ spec: { replicas: 3 } }, { spec: { replicas: 5 } }] })
})

/** A resource that waits for its pods, with an inventory and a secret. */
async function liveShop(way: string, workers: number): Promise<object> {
  const { client } = await start(way, workers)
  const access = client.resourceOf<LooseObject>('example.com/v1', 'WebApp')
  await access.create({ metadata: shop, spec: { image: 'shop:1', hostname: 'shop.example.com', replicas: 2 } })
  const seen: object[] = []
  const look = async (check: (object: LooseObject) => void) => {
    seen.push(comparable(await until(client, 'example.com/v1', 'WebApp', shop, check)))
  }
  await look((object) => expect(conditionOf(object, 'Ready')).toBe('False PodsStarting'))
  await reportPods(client, shop, 2)
  await look((object) => expect(conditionOf(object, 'Ready')).toBe('True Reconciled'))
  const { metadata } = await until(client, 'v1', 'Secret', { ...shop, name: 'shop-credentials' }, () => {})
  await access.delete(shop)
  await untilGone(client, 'example.com/v1', 'WebApp', shop)
  await untilGone(client, 'apps/v1', 'Deployment', shop)
  await untilGone(client, 'v1', 'Secret', { ...shop, name: 'shop-credentials' })
  return { seen, owners: metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`) }
}

test('a resource that waits ends the same, watched, pulled, and pulled by several workers', async () => {
  const watched = await liveShop('watching', 1)
  expect(watched).toMatchObject({ seen: [{ status: { readyReplicas: 0 } }, { status: { readyReplicas: 2 } }] })
  expect(await liveShop('pulled', 1)).toEqual(watched)
  expect(await liveShop('pulled', 3)).toEqual(watched)
})
