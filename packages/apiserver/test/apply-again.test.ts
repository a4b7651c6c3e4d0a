import { afterAll, expect, it, vi } from 'vitest'
import { definition, GROUP, version } from './definitions.ts'
import { serve } from './server.ts'

vi.useFakeTimers({ toFake: ['Date'] })
const server = await serve()
afterAll(() => server.close())

/** Applies the same twice, a minute apart, and answers with both versions. */
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
