// Definitions as cluster-api and others install them: several versions that only a webhook can convert.

import { afterAll, expect, it } from 'vitest'
import { definition, GROUP, version } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const conversion = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: {
      service: { name: 'capi-webhook-service', namespace: 'capi-system', path: '/convert' },
      caBundle: 'Cg==',
    },
    conversionReviewVersions: ['v1', 'v1beta1'],
  },
}
const text = { type: 'string' }

/** The later version splits the address into parts. */
function webhooked(plural: string, more = {}) {
  const old = version('v1beta1', { spec: { address: text }, deprecated: true, ...more })
  const now = version('v1beta2', { spec: { host: text, port: { type: 'integer' } }, storage: true })
  const made = definition({ plural, versions: [old, now] }) as { metadata: { name: string }; spec: object }
  return { ...made, spec: { ...made.spec, conversion } }
}

const at = (name: string, plural: string) => `/apis/${GROUP}/${name}/namespaces/default/${plural}`

it('are accepted with a warning, and served in their stored version alone', async () => {
  const created = await server.post(`${DEFINITIONS}?dryRun=All`, webhooked('clusters'))
  expect(created.status).toBe(201)
  expect(created.headers.get('warning')).toContain(
    'conversion webhooks are not called: objects are served in v1beta2 alone, the version they are stored in; ' +
      'v1beta1 cannot be requested',
  )
  expect(created.body).toMatchObject({
    spec: { conversion: { webhook: { clientConfig: { service: { port: 443 } } } } },
    status: { storedVersions: ['v1beta2'] },
  })
  await server.define(webhooked('clusters'))

  const body = (apiVersion: string, spec: object) => ({ apiVersion, kind: 'Cluster', metadata: { name: 'c' }, spec })
  const refused = await server.post(at('v1beta1', 'clusters'), body(`${GROUP}/v1beta1`, { address: 'a:1' }))
  expect(refused.status).toBe(404)
  const stored = await server.post(at('v1beta2', 'clusters'), body(`${GROUP}/v1beta2`, { host: 'a', port: 1 }))
  expect(stored).toMatchObject({ status: 201, body: { spec: { host: 'a', port: 1 } } })
  expect((await server.get(`${at('v1beta1', 'clusters')}/c`)).status).toBe(404)
  const { body: group } = await server.get(`/apis/${GROUP}`)
  expect(group).toMatchObject({ versions: [{ version: 'v1beta2' }] })
})

it('cannot move to another storage version, in which nobody could read what is stored', async () => {
  await server.define(webhooked('machines'))
  const url = `${DEFINITIONS}/machines.${GROUP}`
  const [old, now] = [version('v1beta1', { storage: true }), version('v1beta2', {})]
  const moved = await server.patch(url, { spec: { versions: [old, now] } })
  expect(moved).toMatchObject({ status: 422, body: { details: { causes: [{ field: 'spec.versions' }] } } })
  expect((await server.patch(url, { spec: { conversion: { strategy: 'None', webhook: null } } })).status).toBe(200)
  expect((await server.get(at('v1beta1', 'machines'))).status).toBe(200)
})
