import { afterAll, expect, it, vi } from 'vitest'
import { definition, GROUP, version } from './definitions.ts'
import { serve } from './server.ts'

vi.useFakeTimers({ toFake: ['Date'] })
const server = await serve()
afterAll(async () => {
  await server.close()
  vi.useRealTimers()
})

/** Applies the same configuration twice, a minute apart, and returns both revisions. */
async function twice(path: string, config: object): Promise<string[]> {
  const apply = async () => {
    const { status, body } = await server.send('PATCH', `${path}?fieldManager=m`, {
      body: config,
      type: 'application/apply-patch+yaml',
    })
    expect([200, 201]).toContain(status)
    vi.setSystemTime(Date.now() + 60_000)
    return body.metadata.resourceVersion
  }
  return [await apply(), await apply()]
}

it('changes nothing when an apply says again what is there, with nulls and empty values around it', async () => {
  const [first, second] = await twice('/api/v1/namespaces/default/configmaps/a', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', creationTimestamp: null, resourceVersion: null, annotations: {} },
    data: { a: '1' },
  })
  expect(second).toBe(first)
})

it('changes nothing when an apply leaves out the defaults inside an atomic value', async () => {
  const properties = { name: { type: 'string' }, space: { type: 'string', default: 'x' } }
  const spec = { ref: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties } }
  await server.define(definition({ plural: 'links', versions: [version('v1', { storage: true, spec })] }))
  const [first, second] = await twice(`/apis/${GROUP}/v1/namespaces/default/links/a`, {
    apiVersion: `${GROUP}/v1`,
    kind: 'Link',
    metadata: { name: 'a' },
    spec: { ref: { name: 'b' } },
  })
  expect(second).toBe(first)
})

it('refuses an apply whose managed fields would make the object too large, and lets others go without them', async () => {
  const path = '/api/v1/namespaces/default/configmaps'
  const keys = Array.from(
    { length: 9999 },
    (_, i) => `this-key-is-so-long-that-all-of-them-together-make-the-managed-fields-too-large-${i}`,
  )
  const data = Object.fromEntries(keys.map((key) => [key, 'A']))
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' } }
  const made = await server.post(path, { ...object, data })
  expect(made.status).toBe(201)
  expect(Object.keys(made.body.metadata)).not.toContain('managedFields')
  const type = 'application/apply-patch+yaml'
  const applied = await server.send('PATCH', `${path}/large?fieldManager=m`, { body: object, type })
  expect(applied.status).toBe(413)
})

it('gives a daemon set its generation annotation as a field of whoever wrote the set', async () => {
  const labels = { a: 'b' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'i' }] } }
  const { body } = await server.post('/apis/apps/v1/namespaces/default/daemonsets', {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: labels }, template },
  })
  expect(body.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' })
  expect(body.metadata).toMatchObject({
    managedFields: [
      {
        fieldsV1: {
          'f:metadata': { 'f:annotations': { '.': {}, 'f:deprecated.daemonset.template.generation': {} } },
        },
      },
    ],
  })
})
