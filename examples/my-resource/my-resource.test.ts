// The guide's resource from end to end, on a control plane inside the test. Its Deployment has no controller here, so the
// test writes the Deployment's status.

import { readFileSync } from 'node:fs'
import type { LooseObject } from '@homeostat/client'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { customResources } from './src/custom-resources/custom-resources.ts'
import { GROUP } from './src/group.ts'

const sample = readFileSync(`${import.meta.dirname}/my-app.yaml`, 'utf8')
const place = { name: 'my-app', namespace: 'default' }
const myApp = { apiVersion: `${GROUP}/v1`, kind: 'MyResource', ...place }
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', ...place }
const service = { apiVersion: 'v1', kind: 'Service', ...place }

async function start(): Promise<TestEnv> {
  const env = await testEnv()
  onTestFinished(() => env.close())
  await env.run(customResources, { name: 'my-resource' }).ready
  return env
}

/** As `kubectl apply --server-side` sends it. */
async function applySample({ client }: TestEnv): Promise<void> {
  await client.request({
    method: 'PATCH',
    path: `/apis/${GROUP}/v1/namespaces/default/myresources/my-app?fieldManager=test`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: sample,
  })
}

function conditions(object: LooseObject): Record<string, string> {
  const all = object.status?.conditions ?? []
  return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

async function reportPods(env: TestEnv, readyReplicas: number): Promise<void> {
  const status = { replicas: 3, readyReplicas, updatedReplicas: 3, observedGeneration: 1 }
  await env.client.resource('apps/v1', 'Deployment').status.patch(place, { status })
}

test('the sample makes a Deployment and a Service, and its conditions follow the pods', async () => {
  const env = await start()
  await applySample(env)
  const made = await env.until<LooseObject>(deployment, () => true)
  expect(made.spec).toMatchObject({ replicas: 3, selector: { matchLabels: { app: 'my-app' } } })
  await env.until<LooseObject>(service, ({ spec }) => spec?.type === 'ClusterIP')
  await reportPods(env, 1)
  const waiting = await env.until<LooseObject>(myApp, (object) => conditions(object).Deployment === 'False Pending')
  expect(conditions(waiting)).toMatchObject({
    Service: 'True Ready',
    Ready: 'False Pending',
    Accepted: 'True Accepted',
  })
  await reportPods(env, 3)
  const ready = await env.until<LooseObject>(myApp, (object) => conditions(object).Ready === 'True Ready')
  expect(conditions(ready)).toMatchObject({ Deployment: 'True Ready', Service: 'True Ready' })
  expect(ready.status).toMatchObject({ observedGeneration: 1 })
})

test('what is left out gets the defaults of the schema, and what is wrong is refused by the server with its place', async () => {
  const env = await start()
  const required = { hostname: 'my-app.example.com', port: 8080 }
  const { apiVersion, kind } = myApp
  const apply = (spec: object) => env.apply<LooseObject>({ apiVersion, kind, metadata: place, spec })
  const [object] = await apply(required)
  expect(object?.spec).toEqual({ ...required, replicas: 1, protocol: 'https' })
  await env.until<LooseObject>(deployment, ({ spec }) => spec?.replicas === 1)
  await expect(apply({ ...required, port: 70_000 })).rejects.toThrow(/spec\.port/)
  await expect(apply({ ...required, protocol: 'ftp' })).rejects.toThrow(/spec\.protocol/)
})

test('what belongs to the resource goes with it', async () => {
  const env = await start()
  await applySample(env)
  await env.until(deployment, () => true)
  await env.until(service, () => true)
  await env.client.resourceOf(myApp.apiVersion, myApp.kind).delete(place)
  for (const ref of [myApp, deployment, service]) await env.untilGone(ref)
})

test('a Deployment that is deleted or edited is restored, and a run with nothing to do writes nothing', async () => {
  const env = await start()
  await applySample(env)
  const deployments = env.client.resource('apps/v1', 'Deployment')
  const { metadata } = await env.until<LooseObject>(deployment, () => true)
  await env.settled()
  await deployments.delete(place)
  await env.until<LooseObject>(deployment, (object) => object.metadata.uid !== metadata.uid)
  await env.settled()
  await deployments.patch(place, { spec: { replicas: 9 } })
  await env.until<LooseObject>(deployment, ({ spec }) => spec?.replicas === 3)
  await env.settled()
  env.takeWrites()
  await env.client.resourceOf(myApp.apiVersion, myApp.kind).patch(place, { metadata: { labels: { touched: 'yes' } } })
  await env.settled()
  expect(env.takeWrites()).toEqual([])
})

test('an operator that starts again finds everything as it should be', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const first = env.run(customResources, { name: 'my-resource' })
  await first.ready
  await applySample(env)
  await env.until(service, () => true)
  await env.settled()
  await first.close()
  env.takeWrites()
  await env.run(customResources, { name: 'my-resource' }).ready
  await env.settled()
  expect(env.takeWrites()).toEqual([])
})
