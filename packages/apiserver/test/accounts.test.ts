// Programs inside the server have the rights that they declare, on their Api and on their connections, and no others.

import { Agent, request } from 'node:http'
import { silentLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { type LocalAccount, startApiServer } from '../src/index.ts'
import { widgets } from './definitions.ts'
import { client } from './server.ts'

const warnings: object[] = []
const store = new MemoryStore()
const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) }
const server = await startApiServer({ store, host: '127.0.0.1', port: 0, logger: log })
afterAll(async () => {
  await server.close()
  await store.close()
})
beforeEach(() => void warnings.splice(0))

const admin = client(server.address.port)
const NAME = 'system:serviceaccount:homeostat-system:robot'
const MAPS = { group: '', resource: 'configmaps' }
const SECRETS = { group: '', resource: 'secrets' }
const place = { namespace: 'default', name: 'a' }
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: place }

const account = (verbs: readonly string[], resources = ['configmaps']): LocalAccount =>
  server.account({ username: NAME, manager: 'robot' }, [{ apiGroups: [''], resources, verbs }])

/** The status of a GET on a connection of the account. */
function getAs(user: LocalAccount['user'], path: string, headers: Record<string, string> = {}): Promise<number> {
  const agent = new Agent()
  Object.assign(agent, { createConnection: () => server.connect(user) })
  return new Promise((resolve, reject) => {
    request({ agent, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

it('each call needs its verb', async () => {
  const calls: Record<string, (api: LocalAccount['api']) => unknown> = {
    create: (api) => api.create(MAPS, map),
    get: (api) => [api.get(MAPS, place), api.object(MAPS, place)],
    list: (api) => [api.list(MAPS), api.names(MAPS, 'default', 1), api.count(MAPS), api.objects(MAPS)],
    watch: (api) => [api.subscribe(MAPS, () => {})(), api.follow(MAPS, () => {})()],
    update: (api) => api.change(MAPS, place, (object) => void Object.assign(object, { data: { a: 'b' } })),
    patch: (api) => api.apply(MAPS, { ...map, data: { c: 'd' } }, { manager: 'robot' }),
    delete: (api) => api.delete(MAPS, place),
  }
  const verbs = Object.keys(calls)
  for (const verb of verbs) {
    const { api } = account(verbs.filter((other) => other !== verb))
    await expect((async () => calls[verb]?.(api))(), verb).rejects.toMatchObject({
      status: { code: 403, message: expect.stringContaining(`User "${NAME}" cannot ${verb} resource "configmaps"`) },
    })
    // An apply reads whether the object exists, to know whether it creates.
    await calls[verb]?.(account(verb === 'patch' ? ['patch', 'get'] : [verb]).api)
  }
})

it('an apply that creates needs both verbs, and a status its subresource', async () => {
  const { api } = account(['patch', 'get'])
  await expect(api.apply(MAPS, { ...map, metadata: { ...place, name: 'new' } }, { manager: 'x' })).rejects.toThrow(
    'cannot create resource "configmaps"',
  )
  const pods = account(['update'], ['pods'])
  await expect(pods.api.writeStatus({ group: '', resource: 'pods' }, place, () => ({}))).rejects.toThrow(
    'cannot update resource "pods/status"',
  )
})

it('what is not declared is logged once, with the line that allows it', async () => {
  const { api, user } = account(['get'])
  for (let i = 0; i < 3; i++) expect(() => api.list(SECRETS, 'lab')).toThrow('forbidden')
  expect(await getAs(user, '/api/v1/namespaces/default/secrets/key')).toBe(403)
  expect(warnings).toEqual([
    {
      user: NAME,
      verb: 'list',
      resource: 'secrets',
      namespace: 'lab',
      line: expect.stringContaining('--serviceaccount=homeostat-system:robot --namespace=lab'),
    },
    expect.objectContaining({ verb: 'get', resource: 'secrets', namespace: 'default' }),
  ])
})

it('connections have the same rights, discovery, and what roles give to the account', async () => {
  const { user } = account(['list'])
  expect(await getAs(user, '/api/v1/configmaps')).toBe(200)
  expect(await getAs(user, '/apis')).toBe(200)
  expect(await getAs(user, '/api/v1/secrets')).toBe(403)
  expect(await getAs(user, '/metrics')).toBe(403)
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }]
  await admin.post(`${rbac}/clusterroles`, { metadata: { name: 'robot' }, rules })
  await admin.post(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'robot' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'robot' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'homeostat-system' }],
  })
  expect(await getAs(user, '/api/v1/secrets')).toBe(200)
  await admin.delete(`${rbac}/clusterrolebindings/robot`)
})

it('nobody else of the same name has them', async () => {
  account(['list', 'create', 'get'])
  expect((await admin.get('/api/v1/configmaps', { headers: { 'impersonate-user': NAME } })).status).toBe(403)
  expect(await getAs({ username: NAME, groups: ['system:authenticated'] }, '/api/v1/configmaps')).toBe(403)
  await admin.post('/api/v1/namespaces', { metadata: { name: 'homeostat-system' } })
  await admin.post('/api/v1/namespaces/homeostat-system/serviceaccounts', { metadata: { name: 'robot' } })
  const path = '/api/v1/namespaces/homeostat-system/serviceaccounts/robot/token'
  const { token } = (await admin.post(path, {})).body.status as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  expect((await admin.get('/api/v1/configmaps', { headers })).status).toBe(403)
})

it('a right to kinds by their definition holds for these and ends with what they hold', async () => {
  const defined = await admin.define(widgets)
  const { group, names } = defined.spec as { group: string; names: { plural: string } }
  const resource = { group, resource: names.plural }
  const { api } = server.account({ username: NAME, manager: 'robot' }, [
    { definitionHolds: 'ex.io/handled', verbs: ['create', 'list'] },
  ])
  const thing = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: place, spec: { replicas: 1 } }
  await expect(api.create(resource, thing)).rejects.toThrow('forbidden')
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${names.plural}.${group}`
  await admin.patch(path, { metadata: { annotations: { 'ex.io/handled': 'yes' } } })
  await api.create(resource, thing)
  expect(() => api.get(resource, place)).toThrow('forbidden')
  expect(() => api.list(SECRETS)).toThrow('forbidden')
  await admin.patch(path, { metadata: { annotations: { 'ex.io/handled': null } } })
  expect(() => api.list(resource)).toThrow('forbidden')
})

it('a program that may write roles grants no more than it holds', async () => {
  const { api } = server.account({ username: NAME, manager: 'robot' }, [
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  ])
  const role = (name: string, verb: string) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: [verb] }],
  })
  const roles = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }
  await api.create(roles, role('held', 'get'))
  await expect(api.create(roles, role('more', 'delete'))).rejects.toThrow('permissions not currently held')
})
