import { testEnv } from '@homeostat/testing'
import { expect, test } from 'vitest'
import { site } from './site.ts'

const shop = { apiVersion: 'ex.io/v1', kind: 'Site', name: 'shop', namespace: 'default' }
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop', namespace: 'default' }
const manifest = {
  apiVersion: 'ex.io/v1',
  kind: 'Site',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { image: 'nginx:1.29' },
}

test('a site gets a deployment, and takes it along when it goes', async () => {
  await using env = await testEnv()
  await env.run(site, { name: 'sites' }).ready

  await env.apply(manifest)
  await env.until(deployment, (object) => object.metadata.ownerReferences?.[0]?.kind === 'Site')

  await env.client.resource('ex.io/v1', 'Site').delete(shop)
  await env.untilGone(deployment)
})

test('a converged system makes no writes', async () => {
  await using env = await testEnv()
  const first = env.run(site, { name: 'sites' })
  await first.ready
  await env.apply(manifest)
  await env.settled()
  env.takeWrites()

  await first.close()
  await env.run(site, { name: 'sites' }).ready // as after a restart: under the same name
  await env.settled()
  expect(env.takeWrites()).toEqual([])
})

test('a deployment that was deleted is back, whatever the time', async () => {
  await using env = await testEnv({ now: '2026-01-01T00:00:00Z' })
  await env.run(site, { name: 'sites' }).ready
  await env.apply(manifest)
  await env.settled()

  await env.client.resource('apps/v1', 'Deployment').delete(deployment)
  await env.advance('1h') // runs that were due within this hour have happened
  await env.until(deployment, () => true)
})

import { testColony } from '@homeostat/testing/colony'

test('a site is reconciled by an executor', async () => {
  await using colony = await testColony()
  await colony.run(site, { name: 'sites', pull: { executorType: 'sites' } }).ready
  await colony.apply(manifest)
  await colony.until(deployment, (object) => object.metadata.ownerReferences?.[0]?.kind === 'Site')
})
