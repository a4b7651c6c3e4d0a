import { expect, test } from 'vitest'
import { type ScriptedResponse, scriptedTransport } from '../../test/scripted-transport.ts'
import { createClient } from '../create-client.ts'

const AGGREGATED = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'ex.io' },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'sites',
              responseKind: { kind: 'Site' },
              singularResource: 'site',
              shortNames: ['st'],
              categories: ['all'],
              scope: 'Namespaced',
              verbs: ['get', 'list'],
              subresources: [{ subresource: 'status' }],
            },
            { resource: 'broken' },
          ],
        },
      ],
    },
  ],
}
const LIST = {
  kind: 'APIResourceList',
  resources: [
    {
      name: 'sites',
      singularName: 'site',
      kind: 'Site',
      shortNames: ['st'],
      categories: ['all'],
      namespaced: true,
      verbs: ['get', 'list'],
    },
    { name: 'sites/status', kind: 'Site', namespaced: true, verbs: ['get'] },
    { name: 'sites/scale', kind: 'Scale', namespaced: true, verbs: ['get'] },
    { name: 'plots', kind: 'Plot', verbs: ['get'] },
  ],
}
const SITE = {
  group: 'ex.io',
  version: 'v1',
  resource: 'sites',
  kind: 'Site',
  singular: 'site',
  shortNames: ['st'],
  categories: ['all'],
  namespaced: true,
  verbs: ['get', 'list'],
}

/** A server with scripted responses by path. */
function server(paths: Record<string, ScriptedResponse>) {
  return scriptedTransport(({ path }) => paths[path] ?? { status: 404, body: '404 page not found' })
}

test('all groups are known from one aggregated response', async () => {
  const transport = server({ '/apis': { body: AGGREGATED } })
  const client = createClient(transport)
  expect(await client.discover('ex.io/v1', 'Site')).toEqual({ ...SITE, subresources: ['status'] })
  expect(await client.discover('ex.io/v1', 'Site')).toMatchObject({ resource: 'sites' })
  expect(transport.sent.map(({ path }) => path)).toEqual(['/apis'])
})

test('a server without aggregated discovery is asked for the group version', async () => {
  const transport = server({
    '/apis': { body: { kind: 'APIGroupList', groups: [] } },
    '/apis/ex.io/v1': { body: LIST },
  })
  const client = createClient(transport)
  expect(await client.discover('ex.io/v1', 'Site')).toEqual({ ...SITE, subresources: ['status', 'scale'] })
  expect(await client.discover('ex.io/v1', 'Plot')).toMatchObject({ resource: 'plots', namespaced: false })
  expect(await client.discover('ex.io/v1', 'Scale')).toBeUndefined()
})

test('everything that is served is listed, also by a server without aggregated discovery', async () => {
  const aggregated = createClient(server({ '/apis': { body: AGGREGATED } }))
  expect(await aggregated.resources()).toEqual([{ ...SITE, subresources: ['status'] }])
  const groups = [{ name: 'ex.io', versions: [{ version: 'v1' }] }]
  const old = server({
    '/api': { body: { kind: 'APIVersions', versions: ['v1'] } },
    '/api/v1': { body: { resources: [{ name: 'pods', singularName: '', kind: 'Pod', namespaced: true, verbs: [] }] } },
    '/apis': { body: { kind: 'APIGroupList', groups } },
    '/apis/ex.io/v1': { body: LIST },
  })
  const found = await createClient(old).resources()
  expect(found.map(({ group, resource, singular }) => [group, resource, singular])).toEqual([
    ['', 'pods', 'pod'],
    ['ex.io', 'sites', 'site'],
    ['ex.io', 'plots', 'plot'],
  ])
})

test('a kind that is not served is asked for each time', async () => {
  const paths: Record<string, ScriptedResponse> = { '/apis': { body: { ...AGGREGATED, items: [] } } }
  const client = createClient(server(paths))
  expect(await client.discover('ex.io/v1', 'Site')).toBeUndefined()
  await expect(client.resource('ex.io/v1', 'Site').list()).rejects.toThrow('does not serve Site in ex.io/v1')
  paths['/apis'] = { body: AGGREGATED }
  expect(await client.discover('ex.io/v1', 'Site')).toMatchObject({ resource: 'sites' })
})

test('a path that is gone makes the kind forgotten, an object that is gone does not', async () => {
  const collection = '/apis/ex.io/v1/namespaces/ns/sites'
  const missing = { kind: 'Status', reason: 'NotFound', code: 404, details: { name: 'a', kind: 'sites' } }
  const paths: Record<string, ScriptedResponse> = {
    '/apis': { body: AGGREGATED },
    [`${collection}/a`]: { status: 404, body: missing },
  }
  const transport = server(paths)
  const sites = createClient(transport).resource('ex.io/v1', 'Site')
  const asked = () => transport.sent.filter(({ path }) => path === '/apis').length
  expect(await sites.find({ name: 'a', namespace: 'ns' })).toBeUndefined()
  expect(await sites.find({ name: 'a', namespace: 'ns' })).toBeUndefined()
  expect(asked()).toBe(1)
  await expect(sites.find({ name: 'b', namespace: 'ns' })).rejects.toThrow('404')
  paths['/apis'] = { body: { ...AGGREGATED, items: [] } }
  await expect(sites.find({ name: 'b', namespace: 'ns' })).rejects.toThrow('does not serve')
  expect(asked()).toBe(2)
})

test('callers at the same time share a request, and one of them may give up', async () => {
  const transport = server({ '/apis': { body: AGGREGATED } })
  const client = createClient(transport)
  const abort = new AbortController()
  const given = client.discover('ex.io/v1', 'Site', abort.signal).catch((error: unknown) => error)
  const kept = client.discover('ex.io/v1', 'Site')
  abort.abort('enough')
  expect(await given).toBe('enough')
  expect(await kept).toMatchObject({ resource: 'sites' })
  expect(transport.sent).toHaveLength(1)
})

test('who asks while an older question is under way does not get its "not served"', async () => {
  let served: ScriptedResponse = { body: { ...AGGREGATED, items: [] } }
  const client = createClient(scriptedTransport(() => served))
  const before = client.discover('ex.io/v1', 'Site')
  served = { body: AGGREGATED }
  const after = client.discover('ex.io/v1', 'Site')
  expect(await before).toBeUndefined()
  expect(await after).toMatchObject({ resource: 'sites' })
})

test('an apiVersion that is none is said to be so', async () => {
  const client = createClient(server({}))
  await expect(client.discover('a/b/c', 'Site')).rejects.toThrow('"a/b/c" is not an apiVersion')
})
