// GET of an object's history: generations with who and when, grouped by uid, and who may read it.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { definition } from './definitions.ts'
import { serve, type TestServer } from './server.ts'

interface Entry {
  readonly generation?: number
  readonly resourceVersion: string
  readonly change: string
  readonly user?: string
  readonly manager?: string
  readonly time?: string
  readonly current?: boolean
  readonly object?: { spec?: object; metadata: { labels?: object; managedFields?: unknown; resourceVersion: string } }
}

const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const SECRETS = '/api/v1/namespaces/default/secrets'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

let server: TestServer
beforeAll(async () => {
  server = await serve()
  await server.define(definition({ spec: { size: { type: 'integer' } }, version: { subresources: { status: {} } } }))
})
afterAll(() => server.close())

const livesOf = async (path: string) => {
  const { status, body } = await server.get(`${path}/history`)
  expect(status).toBe(200)
  return (body as unknown as { lives: { uid: string; entries: Entry[] }[] }).lives
}
const widget = (name: string, size: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { size },
})
const shown = ({ generation, change, user, manager, current = false }: Entry) => [
  generation,
  change,
  user,
  manager,
  current,
]

it('shows each generation with who wrote it and how, and no status', async () => {
  await server.post(`${WIDGETS}?fieldManager=maker`, widget('a', 1))
  await server.patch(`${WIDGETS}/a/status`, { status: { phase: 'Running' } })
  await server.patch(`${WIDGETS}/a?fieldManager=editor`, { spec: { size: 2 } })
  await server.patch(`${WIDGETS}/a/status`, { status: { phase: 'Done' } })
  const [life, ...others] = await livesOf(`${WIDGETS}/a`)
  expect(others).toEqual([])
  expect(life?.entries.map(shown)).toEqual([
    [1, 'created', 'system:admin', 'maker', false],
    [2, 'updated', 'system:admin', 'editor', true],
  ])
  const [first] = life?.entries ?? []
  expect(first?.object).toMatchObject({ spec: { size: 1 }, metadata: { resourceVersion: first?.resourceVersion } })
  expect(first?.object?.metadata.managedFields).toBeUndefined()
  expect(Date.parse(first?.time ?? '')).toBeGreaterThan(0)
})

it('keeps the lives of a name apart, and is there when the object is gone', async () => {
  await server.post(WIDGETS, widget('b', 1))
  await server.patch(`${WIDGETS}/b`, { metadata: { labels: { late: 'yes' } } })
  await server.delete(`${WIDGETS}/b`)
  const [first] = await livesOf(`${WIDGETS}/b`)
  expect(first?.entries.map(({ change }) => change)).toEqual(['created', 'deleted'])
  // A label alone is no generation, but it was part of what was deleted.
  expect(first?.entries[1]?.object?.metadata.labels).toEqual({ late: 'yes' })
  await server.post(WIDGETS, widget('b', 5))
  const lives = await livesOf(`${WIDGETS}/b`)
  expect(lives.map(({ entries }) => entries.map(({ change }) => change))).toEqual([['created', 'deleted'], ['created']])
  expect(lives[1]?.uid).not.toBe(first?.uid)
  expect((await server.get(`${WIDGETS}/never/history`)).status).toBe(404)
})

it('of a kind without generations it shows what people changed', async () => {
  await server.post(CONFIG_MAPS, { metadata: { name: 'c' }, data: { a: '1' } })
  await server.patch(`${CONFIG_MAPS}/c`, { data: { a: '2' } })
  await server.patch(`${CONFIG_MAPS}/c`, { metadata: { annotations: { 'x.kubernetes.io/mark': '1' } } })
  const [life] = await livesOf(`${CONFIG_MAPS}/c`)
  expect(life?.entries.map(shown).map(([generation, change, , , current]) => [generation, change, current])).toEqual([
    [undefined, 'created', false],
    [undefined, 'updated', true],
  ])
})

it('is read alone, and not listed in discovery', async () => {
  expect((await server.put(`${WIDGETS}/a/history`, {})).status).toBe(404)
  const { text } = await server.get('/apis/example.com/v1')
  expect(text).not.toContain('widgets/history')
})

it('needs the right to RESOURCE/history, which for Secrets no wildcard gives', async () => {
  const rules = {
    viewer: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }],
    parts: [{ apiGroups: [''], resources: ['*/history', 'secrets'], verbs: ['*'] }],
    named: [{ apiGroups: [''], resources: ['secrets/history'], verbs: ['get'] }],
    all: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  }
  await server.post(SECRETS, { metadata: { name: 's' }, stringData: { password: 'old' } })
  for (const [name, list] of Object.entries(rules)) {
    await server.post(`${RBAC}/clusterroles`, { metadata: { name }, rules: list })
    await server.post(`${RBAC}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    })
  }
  const as = async (user: string, path: string) =>
    (await server.get(`${path}/history`, { headers: { 'impersonate-user': user } })).status
  expect(await as('viewer', `${WIDGETS}/a`)).toBe(200)
  expect(await as('named', `${WIDGETS}/a`)).toBe(403)
  const secret: Record<string, number> = {}
  for (const name of Object.keys(rules)) secret[name] = await as(name, `${SECRETS}/s`)
  expect(secret).toEqual({ viewer: 403, parts: 403, named: 200, all: 200 })
})

it('nobody gives the right to the history of Secrets away by a wildcard', async () => {
  const role = (resources: string[]) => ({
    metadata: { generateName: 'r-' },
    rules: [{ apiGroups: [''], resources, verbs: ['get'] }],
  })
  await server.post(`${RBAC}/clusterroles`, {
    metadata: { name: 'granter' },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['get'] },
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] },
    ],
  })
  await server.post(`${RBAC}/clusterrolebindings`, {
    metadata: { name: 'granter' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'granter' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'granter' }],
  })
  const headers = { 'impersonate-user': 'granter' }
  expect((await server.post(`${RBAC}/clusterroles`, role(['secrets', 'widgets/history']), { headers })).status).toBe(
    201,
  )
  expect((await server.post(`${RBAC}/clusterroles`, role(['secrets/history']), { headers })).status).toBe(403)
})
