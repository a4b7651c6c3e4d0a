// Check 16: SecretService creates a base64 Secret once, keeps the same password across restarts, and never regenerates it while valid.

import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { webApp } from '../my-resource/src/web-app.ts'

test('check 16', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const secrets = env.client.resource('v1', 'Secret')
  const place = { name: 'my-app-credentials', namespace: 'default' }
  const { apiVersion, kind } = webApp
  const first = env.run(webApp, { name: 'web-apps' })
  await first.ready
  const metadata = { name: 'my-app', namespace: 'default' }
  await env.apply({ apiVersion, kind, metadata, spec: { image: 'shop:1', hostname: 'my-app.example.com' } })
  const { data } = await env.until({ apiVersion: 'v1', kind: 'Secret', ...place }, () => true)
  expect(Buffer.from(data?.password ?? '', 'base64').toString()).toMatch(/^[0-9a-f-]{36}$/)
  await env.settled()
  await first.close()
  const blind = { 'v1/Secret': { labelSelector: 'never=there' } }
  for (const caches of [{}, blind]) {
    const again = env.run(webApp, { name: 'web-apps', caches })
    await again.ready
    await env.apply({
      apiVersion,
      kind,
      metadata,
      spec: { image: `shop:${Object.keys(caches).length + 2}`, hostname: 'a.example.com' },
    })
    await env.settled()
    expect(again.runs).toBeGreaterThan(0)
    expect((await secrets.get(place)).data).toEqual(data)
    await again.close()
  }
})
