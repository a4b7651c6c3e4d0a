// The program of docs/operators.md: that it is the one printed there, and that it works.

import { readFileSync } from 'node:fs'
import type { LooseObject } from '@homeostat/client'
import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { webApp } from './src/web-app.ts'

const place = { name: 'shop', namespace: 'default' }
const shop = { apiVersion: 'example.com/v1', kind: 'WebApp', ...place }
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', ...place }
const service = { apiVersion: 'v1', kind: 'Service', ...place }
const secret = { apiVersion: 'v1', kind: 'Secret', name: 'shop-credentials', namespace: 'default' }

test('the page has the program as it is', () => {
  const page = readFileSync(`${import.meta.dirname}/../../docs/operators.md`, 'utf8')
  expect(page).toContain(readFileSync(`${import.meta.dirname}/src/web-app.ts`, 'utf8'))
})

test('a web application gets its pods, its service and its credentials, and takes them along', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const first = env.run(webApp, { name: 'web-apps' })
  await first.ready
  const spec = { image: 'shop:1', hostname: 'shop.example.com', replicas: 2 }
  await env.apply({ apiVersion: shop.apiVersion, kind: shop.kind, metadata: place, spec })
  const starting = await env.until<LooseObject>(shop, ({ status }) => status?.url !== undefined)
  expect(starting.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
    status: 'False',
    reason: 'PodsStarting',
    message: '0 of 2 pods are ready',
  })
  const deployments = env.client.resource('apps/v1', 'Deployment')
  await deployments.status.patch(place, { status: { replicas: 2, readyReplicas: 2 } })
  const ready = await env.until<LooseObject>(shop, ({ status }) =>
    (status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True'),
  )
  expect(ready.status).toMatchObject({ url: 'https://shop.example.com', readyReplicas: 2, observedGeneration: 1 })
  await env.settled()
  await first.close()
  env.takeWrites()
  await env.run(webApp, { name: 'web-apps' }).ready
  await env.settled()
  expect(env.takeWrites()).toEqual([])
  await env.client.resourceOf(shop.apiVersion, shop.kind).delete(place)
  for (const ref of [shop, deployment, service, secret]) await env.untilGone(ref)
})
