// Tests with a control plane inside them: the real API server, in memory. Nothing runs pods there, so that a test writes
// the status of a Deployment itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEnv } from '@homeostat/testing'
import { webSiteOperator } from './web-site.ts'

const { apiVersion, kind } = webSiteOperator
const hello = { name: 'hello', namespace: 'default' }
const manifest = { apiVersion, kind, metadata: hello, spec: { title: 'Hello', text: 'a < b', replicas: 2 } }
const options = { name: 'my-operator' }

test('a WebSite serves its page, and is ready when its pods are', async (t) => {
  const env = await testEnv({ definitions: [webSiteOperator] })
  t.after(() => env.close())
  await env.run(webSiteOperator, options).ready
  await env.apply(manifest)
  const waiting = await env.until({ apiVersion, kind, ...hello }, ({ status }) => status?.url !== undefined)
  assert.equal(waiting.status?.url, 'http://hello.default')
  assert.equal(isReady(waiting), false)

  const { data } = await env.client.resource('v1', 'ConfigMap').get(hello)
  assert.match(data?.['index.html'] ?? '', /<h1>Hello<\/h1>\n<p>a &lt; b<\/p>/)
  await env.client.resource('v1', 'Service').get(hello)

  const pods = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 }
  await env.client.resource('apps/v1', 'Deployment').status.patch(hello, { status: pods })
  const ready = await env.until({ apiVersion, kind, ...hello }, isReady)
  assert.equal(ready.status?.readyReplicas, 2)
})

test('an operator that starts again writes nothing', async (t) => {
  const env = await testEnv()
  t.after(() => env.close())
  const first = env.run(webSiteOperator, options)
  await first.ready
  await env.apply(manifest)
  await env.settled()
  env.takeWrites()

  await first.close()
  await env.run(webSiteOperator, options).ready
  await env.settled()
  assert.deepEqual(env.takeWrites(), [])
})

test('a WebSite that is deleted takes along what was made for it', async (t) => {
  const env = await testEnv({ definitions: [webSiteOperator] })
  t.after(() => env.close())
  await env.run(webSiteOperator, options).ready
  await env.apply(manifest)
  await env.settled()

  await env.client.resource(apiVersion, kind).delete(hello)
  await env.untilGone({ apiVersion: 'apps/v1', kind: 'Deployment', ...hello })
  await env.untilGone({ apiVersion: 'v1', kind: 'Service', ...hello })
  await env.untilGone({ apiVersion: 'v1', kind: 'ConfigMap', ...hello })
})

test('the server refuses a WebSite without a title', async (t) => {
  const env = await testEnv({ definitions: [webSiteOperator] })
  t.after(() => env.close())
  await assert.rejects(env.apply({ ...manifest, spec: {} }), /spec\.title: Required value/)
})

function isReady({ status }: { status?: { conditions?: readonly { type: string; status: string }[] } }): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}
