import { testEnv } from '@homeostat/testing'
import { expect, test } from 'vitest'
import { site } from './site.ts'

const shop = { apiVersion: 'ex.io/v1', kind: 'Site', name: 'shop', namespace: 'default' }
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop', namespace: 'default' }

test('a site has a deployment, which goes with it', async () => {
  await using env = await testEnv()
  const operators = env.run(site, { name: 'ex-operator' })
  await operators.ready
  const { apiVersion, kind, name, namespace } = shop
  await env.apply({ apiVersion, kind, metadata: { name, namespace }, spec: { image: 'nginx:1.29' } })
  await env.until(deployment, (object) => object.metadata.ownerReferences?.[0]?.kind === 'Site')
  await env.settled()
  env.takeWrites()

  // A converged system makes no writes, also after a restart.
  await operators.close()
  env.run(site, { name: 'ex-operator' })
  await env.settled()
  expect(env.takeWrites()).toEqual([])

  await env.client.resource('ex.io/v1', 'Site').delete(shop)
  await env.untilGone(deployment)
})
