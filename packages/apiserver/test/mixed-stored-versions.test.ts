// Objects of a definition with a conversion webhook whose storage version changed: they stay stored in the old version until
// somebody writes them.

import { MemoryStore, type Store } from '@homeostat/store'
import { expect, it } from 'vitest'
import type { Body } from './body.ts'
import { version } from './definitions.ts'
import { at, convertHosts, hostObject, hosts, storeIn } from './hosts.ts'
import { leapingRevisions, serve, serveForTest, type TestServer } from './server.ts'
import { type TestWebhook, webhookServer } from './webhook-server.ts'

const text = { type: 'string' }
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/hosts.example.com'

/** Three objects stored as v1, then the storage version is v2. */
async function moved(more: { v1?: object; v2?: object } = {}): Promise<{ server: TestServer; hook: TestWebhook }> {
  const server = await serveForTest()
  const hook = await webhookServer(convertHosts)
  await server.define(hosts(hook, { ...more, storage: 'v1' }))
  for (const name of ['a', 'b', 'c'])
    expect((await server.post(at('v1'), hostObject('v1', name, { address: `${name}:1` }))).status).toBe(201)
  expect(hook.calls.length).toBe(0)
  const switched = await storeIn(server, 'v2')
  expect(switched.body).toMatchObject({ status: { storedVersions: ['v1', 'v2'] } })
  return { server, hook }
}

/** The version in which the store has the object. */
async function storedIn({ store }: { store: Store }, name: string): Promise<string> {
  const entry = await store.get(`example.com/hosts/default/${name}`)
  return (JSON.parse(Buffer.from(entry?.value?.bytes ?? []).toString()) as Body).apiVersion
}

it('objects stay stored in the old version, are read in both, and a write stores in the new one', async () => {
  const { server, hook } = await moved()
  const before = (await server.get(`${at('v1')}/a`)).body
  expect(before).toMatchObject({ apiVersion: 'example.com/v1', spec: { address: 'a:1' } })
  expect((await server.get(`${at('v2')}/a`)).body).toMatchObject({
    apiVersion: 'example.com/v2',
    metadata: { resourceVersion: before.metadata.resourceVersion },
    spec: { host: 'a', port: 1 },
  })
  expect((await server.get(at('v2'))).body.items.map(({ spec }) => spec.host)).toEqual(['a', 'b', 'c'])
  // One call for the first object, one for the other two.
  expect(hook.calls.length).toBe(2)
  expect(await storedIn(server, 'a')).toBe('example.com/v1')
  await server.patch(`${at('v2')}/a`, { spec: { port: 2 } })
  await server.patch(`${at('v1')}/b`, { spec: { address: 'there:3' } })
  expect([await storedIn(server, 'a'), await storedIn(server, 'b'), await storedIn(server, 'c')]).toEqual([
    'example.com/v2',
    'example.com/v2',
    'example.com/v1',
  ])
  for (const name of ['v1', 'v2']) expect((await server.get(at(name))).body.items.length).toBe(3)
  expect((await server.get(at('v2'))).body.items.map(({ spec }) => [spec.host, spec.port])).toEqual([
    ['a', 2],
    ['there', 3],
    ['c', 1],
  ])
  expect((await server.get(at('v1'))).body.items.map(({ spec }) => spec.address)).toEqual(['a:2', 'there:3', 'c:1'])
})

it.each([
  [
    'a PUT of what was read',
    async (server: TestServer, path: string) => server.put(path, (await server.get(path)).body),
  ],
  ['an empty merge patch', (server: TestServer, path: string) => server.patch(path, {})],
  ['an empty JSON patch', (server: TestServer, path: string) => server.patch(path, [])],
])('%s rewrites an object that is stored in the old version, and then nothing more', async (_, write) => {
  // Without a default: that would be a change, as in Kubernetes, which fills in those of the version that is written.
  const { server } = await moved({
    v2: version('v2', { spec: { host: text, port: { type: 'integer' } }, storage: false }),
  })
  for (const [served, name] of [
    ['v1', 'a'],
    ['v2', 'b'],
  ] as const) {
    const path = `${at(served)}/${name}`
    const before = (await server.get(path)).body
    const dry = await server.patch(`${path}?dryRun=All`, {})
    expect(dry.body.metadata.resourceVersion).toBe(before.metadata.resourceVersion)
    const written = await write(server, path)
    expect(written).toMatchObject({ status: 200, body: { spec: before.spec, metadata: { generation: 1 } } })
    expect(written.body.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion)
    expect(await storedIn(server, name)).toBe('example.com/v2')
    const again = await write(server, path)
    expect(again.body.metadata.resourceVersion).toBe(written.body.metadata.resourceVersion)
  }
})

it('without the webhook, each version shows what is stored in it, and nobody else is troubled', async () => {
  const { server, hook } = await moved()
  await server.patch(`${at('v2')}/b`, {})
  await hook.close()
  expect((await server.get(`${at('v1')}/a`)).body.spec.address).toBe('a:1')
  expect((await server.get(`${at('v2')}/a`)).status).toBe(500)
  const { body } = await server.get(`${at('v2')}/b`)
  expect(body.spec).toMatchObject({ host: 'b', port: 1 })
  expect((await server.put(`${at('v2')}/b`, { ...body, spec: { host: 'b', port: 9 } })).status).toBe(200)
  expect((await server.post(at('v2'), hostObject('v2', 'new', { host: 'n', port: 1 }))).status).toBe(201)
  const failed = await server.patch(`${at('v2')}/c`, { spec: { port: 2 } })
  expect(failed).toMatchObject({ status: 500, body: { message: expect.stringContaining('conversion webhook for') } })
  expect(await storedIn(server, 'c')).toBe('example.com/v1')
  expect((await server.delete(`${at('v2')}/c`)).status).toBe(200)
  const metadata = await server.get(at('v2'), {
    accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  })
  expect([metadata.status, metadata.body.items.length]).toEqual([200, 3])
})

it('deletion, finalizers, garbage collection and the end of a namespace leave an object in its stored version', async () => {
  const { server, hook } = await moved()
  await storeIn(server, 'v1')
  await server.post('/api/v1/namespaces', { metadata: { name: 'ends' } })
  const owner = (await server.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'owner' } })).body
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'b5c0a2e4-0000-4000-8000-000000000000' },
  ]
  const make = (name: string, metadata: object, where = at('v1')) =>
    server.post(where, hostObject('v1', name, { address: `${name}:1` }, metadata))
  await make('held', { finalizers: ['x/y'] })
  await make('owned', { ownerReferences })
  await make('gone', {}, at('v1').replace('default', 'ends'))
  await make('collected', { ownerReferences: ownerReferences.slice(0, 1) })
  await storeIn(server, 'v2')
  await hook.close()
  // The collector drops the owner that never was, and deletes what has no other.
  const cleaned = await server.until(
    `${at('v1')}/owned`,
    ({ metadata }) => 'ownerReferences' in metadata && (metadata.ownerReferences as unknown[]).length === 1,
  )
  expect(cleaned.spec).toEqual({ address: 'owned:1' })
  expect(await storedIn(server, 'owned')).toBe('example.com/v1')
  expect((await server.delete(`${at('v2')}/held`)).status).toBe(200)
  const marked = await server.get(`${at('v1')}/held`)
  expect(marked.body).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String) },
    spec: { address: 'held:1' },
  })
  expect(await storedIn(server, 'held')).toBe('example.com/v1')
  await server.delete('/api/v1/namespaces/ends')
  await server.gone('/api/v1/namespaces/ends')
  await server.delete('/api/v1/namespaces/default/configmaps/owner')
  await server.gone(`${at('v1')}/collected`)
})

it('watches, columns, field selectors and the history show mixed versions', async () => {
  const columns = (path: string) => ({
    additionalPrinterColumns: [{ name: 'Where', type: 'string', jsonPath: path }],
    selectableFields: [{ jsonPath: path }],
  })
  const { server } = await moved({ v1: columns('.spec.address'), v2: columns('.spec.host') })
  const [first, second] = [await server.watch(at('v1')), await server.watch(at('v2'))]
  for (const name of ['a', 'b', 'c']) {
    expect(await first.next()).toMatchObject({ type: 'ADDED', object: { spec: { address: `${name}:1` } } })
    expect(await second.next()).toMatchObject({ type: 'ADDED', object: { spec: { host: name, port: 1 } } })
  }
  await server.patch(`${at('v2')}/b`, { spec: { port: 7 } })
  expect(await first.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { address: 'b:7' } } })
  expect(await second.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { host: 'b', port: 7 } } })
  await server.delete(`${at('v1')}/a`)
  expect(await first.next()).toMatchObject({ type: 'DELETED', object: { spec: { address: 'a:1' } } })
  expect(await second.next()).toMatchObject({
    type: 'DELETED',
    object: { apiVersion: 'example.com/v2', spec: { host: 'a' } },
  })
  const cells = async (version: string) => {
    const table = await server.get(at(version), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })
    return (table.body.rows as { cells: string[] }[]).map((row) => row.cells[1])
  }
  expect([await cells('v1'), await cells('v2')]).toEqual([
    ['b:7', 'c:1'],
    ['b', 'c'],
  ])
  const names = async (query: string) => (await server.get(query)).body.items.map(({ metadata }) => metadata.name)
  expect(await names(`${at('v2')}?fieldSelector=spec.host%3Dc`)).toEqual(['c'])
  expect(await names(`${at('v1')}?fieldSelector=spec.address%3Db:7`)).toEqual(['b'])
  const history = await server.get(`${at('v2')}/b/history`)
  expect(history.status).toBe(200)
  expect(history.text).toContain('"address":"b:1"')
  expect(history.text).toContain('"host":"b"')
})

it('apply owns its fields across a change of the storage version', async () => {
  const { server } = await moved()
  const apply = { type: 'application/apply-patch+yaml' }
  const send = (version: string, spec: object) =>
    server.patch(`${at(version)}/x?fieldManager=me`, hostObject(version, 'x', spec), apply)
  await storeIn(server, 'v1')
  expect((await send('v2', { host: 'x', port: 1, extra: 'mine' })).status).toBe(201)
  await storeIn(server, 'v2')
  const applied = await send('v2', { host: 'y', port: 2 })
  expect(applied.body.spec).toEqual({ host: 'y', port: 2, extra: 'given' })
  expect(applied.body.metadata.managedFields).toMatchObject([{ manager: 'me', apiVersion: 'example.com/v2' }])
  expect(await storedIn(server, 'x')).toBe('example.com/v2')
})

it('a server that starts anew knows in which versions its objects are stored', async () => {
  const store = Object.assign(new MemoryStore(leapingRevisions), { close: async () => {} })
  const hook = await webhookServer(convertHosts)
  const first = await serve({ store })
  await first.define(hosts(hook, { storage: 'v1' }))
  for (const name of ['a', 'b']) await first.post(at('v1'), hostObject('v1', name, { address: `${name}:1` }))
  await storeIn(first, 'v2')
  await first.patch(`${at('v2')}/b`, { spec: { port: 2 } })
  await first.close()
  const second = await serveForTest({ store })
  expect((await second.get(at('v2'))).body.items.map(({ spec }) => [spec.host, spec.port])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect((await second.get(at('v1'))).body.items.map(({ spec }) => spec.address)).toEqual(['a:1', 'b:2'])
  expect([await storedIn(second, 'a'), await storedIn(second, 'b')]).toEqual(['example.com/v1', 'example.com/v2'])
})

it('objects of an old version are found though the status of the definition denies them', async () => {
  const { server } = await moved()
  const status = { status: { storedVersions: ['v2'] } }
  expect((await server.patch(`${DEFINITION}/status`, status)).status).toBe(200)
  expect((await server.get(`${at('v2')}/a`)).body.spec).toMatchObject({ host: 'a', port: 1 })
  expect((await server.get(at('v2'))).body.items.length).toBe(3)
})

it('with a webhook from then on, objects that were stored by name alone are converted from what is stored', async () => {
  const server = await serveForTest()
  const hook = await webhookServer(convertHosts)
  const spec = { conversion: { strategy: 'None', webhook: null } }
  const plain = hosts(hook, { storage: 'v1' })
  await server.define({ ...plain, spec: { ...plain.spec, ...spec } })
  await server.post(at('v1'), hostObject('v1', 'a', { address: 'a:1' }))
  await storeIn(server, 'v2')
  expect((await server.get(`${at('v2')}/a`)).body.spec.host).toBeUndefined()
  await server.patch(DEFINITION, { spec: { conversion: plain.spec.conversion } })
  expect((await server.get(`${at('v2')}/a`)).body.spec).toMatchObject({ host: 'a', port: 1 })
})
