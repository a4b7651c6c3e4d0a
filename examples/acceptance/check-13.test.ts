// Check 13: deleting the child Deployment by hand, or editing its spec, triggers reconcile and it is restored without polling; a
// second reconcile with nothing to do makes zero writes. The clock stands still, so that nothing can poll.

import type { LooseObject } from '@homeostat/client'
import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { customResources } from '../my-resource/src/custom-resources/custom-resources.ts'
import { conditionsOf, deployment, manifest, myApp, podsAreReady } from './guide-server.fixture.ts'

test('check 13', async () => {
  const env = await testEnv({ frozen: true })
  onTestFinished(() => env.close())
  const operating = env.run(customResources, { name: 'my-resource' })
  await operating.ready
  await env.apply(manifest())
  const { metadata } = await env.until(deployment, () => true)
  const deployments = env.client.resource('apps/v1', 'Deployment')
  await deployments.delete(deployment)
  await env.until(deployment, (found) => found.metadata.uid !== metadata.uid)
  await deployments.patch(deployment, { spec: { replicas: 9 } })
  await env.until(deployment, (found) => found.spec?.replicas === 3)
  await podsAreReady(env)
  await env.until<LooseObject>(myApp, (object) => conditionsOf(object).Ready === 'True Ready')
  await env.settled()
  env.takeWrites()
  const { runs } = operating
  await env.client.resourceOf(myApp.apiVersion, myApp.kind).patch(myApp, { metadata: { labels: { touched: 'yes' } } })
  await env.settled()
  expect(operating.runs).toBeGreaterThan(runs)
  expect(env.takeWrites()).toEqual([])
})
