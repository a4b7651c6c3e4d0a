// The overview: counts and what is not ready of all kinds, in one question, as far as the user may list them.

import { ManualClock } from '@homeostat/base'
import { encodeObject } from '@homeostat/meta/server'
import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WatchCache } from '../src/cache/watch-cache.ts'
import { gadgetType } from '../src/discovery/gadget.fixture.ts'
import { ADMINISTRATOR } from '../src/identity/user.ts'
import { readTokenFile } from '../src/index.ts'
import { Overview } from '../src/overview/overview.ts'
import { ResourceTypes } from '../src/registry/resource-types.ts'
import { definition } from './definitions.ts'
import { leapingRevisions, serveForTest, type TestServer } from './server.ts'

const OVERVIEW = '/apis/dashboard.homeostat.io/v1/overview'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const NOTE = { time: 0, user: '', manager: '' }
const WIDGETS = { group: 'example.com', version: 'v1', resource: 'widgets' }

const at = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/widgets`

async function create(server: TestServer, name: string, namespace = 'default') {
  await server.post('/api/v1/namespaces', { metadata: { name: namespace } })
  await server.post(at(namespace), { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: {} })
}

function say(server: TestServer, name: string, status: string, more: object = {}, namespace = 'default') {
  return server.patch(`${at(namespace)}/${name}/status`, {
    status: { conditions: [{ type: 'Ready', status, reason: 'Because', message: 'it is so', ...more }] },
  })
}

async function widgets(server: TestServer, query = '', token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { status, body } = await server.get(OVERVIEW + query, { headers })
  expect(status).toBe(200)
  const { counts, notReady } = body as unknown as {
    counts: { resource: string; count: number; notReady: number }[]
    notReady: { resource: string; namespace: string; name: string }[]
  }
  return {
    counts: counts.find(({ resource }) => resource === 'widgets'),
    names: notReady
      .filter(({ resource }) => resource === 'widgets')
      .map(({ namespace, name }) => `${namespace}/${name}`),
  }
}

it('counts objects and names those that are not ready, the newest first, and follows what changes', async () => {
  const server = await serveForTest()
  await server.define(definition({ version: { subresources: { status: {} } } }))
  for (const name of ['a', 'b', 'c']) await create(server, name)
  expect(await widgets(server)).toEqual({ counts: { ...WIDGETS, count: 3, notReady: 0 }, names: [] })
  await say(server, 'a', 'True')
  await say(server, 'b', 'False', { lastTransitionTime: '2026-01-01T00:00:00Z' })
  await say(server, 'c', 'Unknown', { lastTransitionTime: '2026-02-01T00:00:00Z' })
  expect(await widgets(server)).toEqual({
    counts: { ...WIDGETS, count: 3, notReady: 2 },
    names: ['default/c', 'default/b'],
  })
  const { body } = await server.get(OVERVIEW)
  expect((body as unknown as { notReady: object[] }).notReady[0]).toEqual({
    ...WIDGETS,
    kind: 'Widget',
    namespace: 'default',
    name: 'c',
    uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    reason: 'Because',
    message: 'it is so',
    since: '2026-02-01T00:00:00.000Z',
  })
  await say(server, 'b', 'True')
  await server.delete(`${at('default')}/c`)
  expect(await widgets(server)).toEqual({ counts: { ...WIDGETS, count: 2, notReady: 0 }, names: [] })
  await server.delete(`${at('default')}/a`)
  await server.delete(`${at('default')}/b`)
  expect((await widgets(server)).counts).toBeUndefined()
})

it('leaves other namespaces out when asked about one', async () => {
  const server = await serveForTest()
  await server.define(definition({ version: { subresources: { status: {} } } }))
  await create(server, 'a', 'one')
  await create(server, 'a', 'two')
  await say(server, 'a', 'False', {}, 'two')
  expect((await widgets(server, '?namespace=one')).counts).toEqual({ ...WIDGETS, count: 1, notReady: 0 })
  expect((await widgets(server, '?namespace=two')).names).toEqual(['two/a'])
  expect((await widgets(server, '?namespace=none')).counts).toBeUndefined()
})

it('shows a user what that user may list, and a stranger nothing', async () => {
  const server = await serveForTest({
    authentication: { staticTokens: readTokenFile('all,ann,1\none,bob,2\nnone,cid,3') },
  })
  await server.define(definition({ version: { subresources: { status: {} } } }))
  for (const namespace of ['one', 'two']) {
    await create(server, 'a', namespace)
    await say(server, 'a', 'False', {}, namespace)
  }
  await server.post(`${RBAC}/clusterroles`, {
    metadata: { name: 'lister' },
    rules: [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['list'] }],
  })
  const binding = (name: string) => ({
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lister' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  })
  await server.post(`${RBAC}/clusterrolebindings`, binding('ann'))
  await server.post(`${RBAC}/namespaces/one/rolebindings`, binding('bob'))
  expect(await widgets(server, '', 'all')).toMatchObject({ counts: { count: 2, notReady: 2 } })
  expect(await widgets(server, '', 'one')).toEqual({ counts: { ...WIDGETS, count: 1, notReady: 1 }, names: ['one/a'] })
  expect(await widgets(server, '?namespace=two', 'one')).toEqual({ counts: undefined, names: [] })
  const { body } = await server.get(OVERVIEW, { headers: { authorization: 'Bearer none' } })
  expect(body).toMatchObject({ counts: [], notReady: [], notReadyCount: 0 })
  expect((await server.get(OVERVIEW, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
})

it('lets others have their turn while it asks for rights in many namespaces', async () => {
  const types = new ResourceTypes()
  types.set('facts.example.com', 'gadgets', [gadgetType({ resource: 'gadgets', storage: 'facts.example.com/gadgets' })])
  const store = new MemoryStore(leapingRevisions)
  for (let i = 0; i < 200; i++) {
    const metadata = { name: 'a', namespace: `ns-${i}`, uid: `${i}` }
    const object = { apiVersion: 'facts.example.com/v1', kind: 'Gadget', metadata }
    await store.put(`facts.example.com/gadgets/ns-${i}/a`, encodeObject(object), undefined, NOTE)
  }
  let [asked, turns] = [0, 0]
  const authorizer = {
    authorize() {
      asked++
      for (const end = performance.now() + 1; performance.now() < end; );
      return { allowed: false, reason: '' }
    },
    rulesOf: () => ({ resourceRules: [], nonResourceRules: [] }),
  }
  const overview = new Overview({ cache: await WatchCache.load(store), types, authorizer, clock: new ManualClock(0) })
  let counting = true
  const count = () => {
    turns++
    if (counting) setImmediate(count)
  }
  count()
  const { counts } = await overview.answer({ username: 'eve', groups: [] }, undefined)
  counting = false
  overview.close()
  expect([counts, asked]).toEqual([[], 201])
  // A slice is 10 ms.
  expect(turns).toBeGreaterThan(10)
})

it('is for reading alone', async () => {
  const server = await serveForTest()
  expect((await server.post(OVERVIEW, {})).status).toBe(404)
  expect((await server.get(`${OVERVIEW}/a`)).status).toBe(404)
})

it('names 200 objects of 500 kinds and counts all of them, in one question', async () => {
  const types = new ResourceTypes()
  const store = new MemoryStore(leapingRevisions)
  const put = async (resource: string, name: string, status: string) => {
    const object = {
      apiVersion: 'facts.example.com/v1',
      kind: 'Gadget',
      metadata: { name, namespace: 'default', uid: `${resource}-${name}` },
      status: { conditions: [{ type: 'Ready', status }] },
    }
    await store.put(`facts.example.com/${resource}/default/${name}`, encodeObject(object), undefined, NOTE)
  }
  for (let i = 0; i < 500; i++) {
    const resource = `gadgets${i}`
    types.set('facts.example.com', resource, [gadgetType({ resource, storage: `facts.example.com/${resource}` })])
    await put(resource, 'good', 'True')
    await put(resource, 'bad', 'False')
  }
  const cache = await WatchCache.load(store)
  const subscribed = vi.spyOn(cache, 'subscribe')
  const clock = new ManualClock(0)
  const authorizer = {
    authorize: () => ({ allowed: false, reason: '' }),
    rulesOf: () => ({ resourceRules: [], nonResourceRules: [] }),
  }
  const overview = new Overview({ cache, types, authorizer, clock })
  onTestFinished(() => overview.close())
  const first = await overview.answer(ADMINISTRATOR, undefined)
  expect(first.counts).toHaveLength(500)
  expect(first.notReadyCount).toBe(500)
  expect(first.notReady).toHaveLength(200)
  await overview.answer(ADMINISTRATOR, undefined)
  expect(subscribed).toHaveBeenCalledTimes(1)
  // Nobody asks for a minute: it is forgotten, and made again for the next question.
  clock.advance(60_000)
  expect((await overview.answer(ADMINISTRATOR, undefined)).notReadyCount).toBe(500)
  expect(subscribed).toHaveBeenCalledTimes(2)
})
