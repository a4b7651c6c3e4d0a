// Check 12: deleting my-app garbage-collects its Deployment, Service and Secret through ownerReferences. The resource is the one of
// docs/operators.md, which has all three.

import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { webApp } from '../my-resource/src/web-app.ts'
import { deployment, service } from './guide-server.fixture.ts'

test('check 12', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const operating = env.run(webApp, { name: 'web-apps' })
  await operating.ready
  const metadata = { name: 'my-app', namespace: 'default' }
  const { apiVersion, kind } = webApp
  const [owner] = await env.apply({
    apiVersion,
    kind,
    metadata,
    spec: { image: 'shop:1', hostname: 'my-app.example.com' },
  })
  const children = [deployment, service, { apiVersion: 'v1', kind: 'Secret', ...metadata, name: 'my-app-credentials' }]
  for (const child of children) {
    const { metadata } = await env.until(child, () => true)
    expect(metadata.ownerReferences).toMatchObject([{ uid: owner?.metadata.uid }])
  }
  // The garbage collector needs no operator.
  await operating.close()
  await env.client.resourceOf(apiVersion, kind).delete(metadata)
  for (const child of children) await env.untilGone(child)
})
