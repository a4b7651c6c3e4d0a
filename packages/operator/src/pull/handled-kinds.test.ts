import { silentLog } from '@homeostat/base'
import type { Duration } from '@homeostat/meta'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controller } from '../controller.ts'
import { installDefinition } from '../definition/install-definition.ts'
import { run } from '../run.ts'
import type { Controlled } from '../runtime/controlled.ts'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { handledBy, withHandler } from './handled-kinds.ts'

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.ex.io', annotations: { own: 'yes' } },
  spec: {
    group: 'ex.io',
    scope: 'Namespaced',
    names: { plural: 'sites', kind: 'Site' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}
const site = { ...controller('ex.io/v1', 'Site', async () => {}), definition }
const { signal } = new AbortController()

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each<[string, Partial<Controlled>, Duration | undefined, number]>([
  ['nothing', {}, undefined, 60],
  ['a text', {}, '1m30s', 90],
  ['milliseconds', {}, { milliseconds: 1500 }, 2],
  ['zero', {}, '0s', 0],
  ['the resync of the kind', { resync: '10m' }, undefined, 600],
])('the interval is %s', (_, parts, interval, reconcileInterval) => {
  const pull = { executorType: 'sites', ...(interval !== undefined && { interval }) }
  const { annotations = {} } = withHandler({ ...site, ...parts }, pull).definition?.metadata ?? {}
  expect(annotations.own).toBe('yes')
  expect(JSON.parse(annotations['colonies.io/handler'] ?? '')).toEqual({
    executorType: 'sites',
    functionName: 'reconcile_site',
    reconcileInterval,
    finalizer: 'ex.io/finalizer',
  })
})

test('a kind whose definition names this type is pulled by the function that is named there', async () => {
  const { client } = server
  const pull = { executorType: 'sites' }
  await installDefinition(client, definition)
  await expect(handledBy(client, site, pull, signal)).rejects.toThrow(
    'Site cannot be pulled: no handler is named by its definition sites.ex.io; it needs the annotation colonies.io/handler',
  )
  await installDefinition(client, withHandler(site, pull).definition ?? definition)
  expect(await handledBy(client, site, pull, signal)).toBe('reconcile_site')
  await expect(handledBy(client, site, { executorType: 'others' }, signal)).rejects.toThrow(
    'Site cannot be pulled: its definition sites.ex.io is handled by executors of the type sites, not others',
  )
})

test('a kind without a definition, or that nobody serves, cannot be pulled', async () => {
  const configs = controller('v1', 'ConfigMap', async () => {})
  const missing = controller('ex.io/v1', 'Nothing', async () => {})
  const options = { client: server.client, log: silentLog, pull: { executorType: 'x' } }
  await expect(run(configs, options).ready).rejects.toThrow('ConfigMap cannot be pulled: no handler is named')
  await expect(run(missing, options).ready).rejects.toThrow('ex.io/v1 Nothing is not served')
})

test('a selection cannot be pulled', async () => {
  const some = controller('ex.io/v1', 'Site', { reconcile: async () => {}, select: { labelSelector: 'a=b' } })
  const options = { client: server.client, log: silentLog, pull: { executorType: 'x' } }
  await expect(run(some, options).done).rejects.toThrow('Site cannot be pulled with a selection')
})
