// Roles, bindings and accounts made at random, with 3,000 access reviews and 300 attempts to grant rights, all answered
// by a real kube-apiserver 1.35.8: this server must answer the same.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { KubeObject } from '@homeostat/meta'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attributes } from '../src/authz/authorize.ts'
import { defaultRoles, rolesAuthorizer } from '../src/authz/rbac/roles.fixture.ts'
import { aggregatedRules } from '../src/controllers/aggregation-plan.ts'
import { serve, serveForTest, type TestServer } from './server.ts'

/** User, groups. */
type RecordedUser = [string, ...string[]]
/** User, allowed, verb, and a path, or group, resource, subresource, namespace, name. */
type RecordedReview = [number, 0 | 1, string, string, string?, string?, string?, string?]

interface Recorded {
  readonly users: readonly RecordedUser[]
  readonly objects: readonly KubeObject[]
  readonly reviews: readonly RecordedReview[]
  /** User, status code, the object to create. */
  readonly escalations: readonly [number, number, KubeObject][]
}

const recorded: Recorded = JSON.parse(readFileSync(new URL('./recorded/rbac-1.35.8.json', import.meta.url), 'utf8'))
const RBAC = 'rbac.authorization.k8s.io/v1'

const userOf = (at: number) => {
  const [username, ...groups] = recorded.users[at] as RecordedUser
  return { username, groups }
}

function attributesOf([
  ,
  ,
  verb,
  first,
  resource,
  subresource = '',
  namespace = '',
  name = '',
]: RecordedReview): Attributes {
  if (resource === undefined) return { verb, path: first }
  return { verb, group: first, resource, subresource, namespace, name }
}

it('3,000 access reviews are answered as by Kubernetes', () => {
  const given = [...defaultRoles(), ...recorded.objects.filter((one) => one.apiVersion === RBAC)]
  // A controller writes the rules of aggregated roles.
  const clusterRoles = given.filter(({ kind }) => kind === 'ClusterRole')
  const roles = given.map((role) => ({ ...role, rules: aggregatedRules(role, clusterRoles) ?? role.rules }))
  const authorizer = rolesAuthorizer(roles)
  const wrong = recorded.reviews.filter((review) => {
    const [user, allowed] = review
    return authorizer.authorize(userOf(user), attributesOf(review)).allowed !== (allowed === 1)
  })
  expect(recorded.reviews).toHaveLength(3000)
  expect(wrong).toEqual([])
})

describe('granting rights', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve()
    const rules = [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: RESOURCES, verbs: ['create', 'update', 'get'] },
    ]
    const writer = { apiVersion: RBAC, kind: 'ClusterRole', metadata: { name: 'role-writer' }, rules }
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'role-writer' }
    const subjects = ['ann', 'bob', 'cyd'].map((name) => ({ kind: 'User', name }))
    const binding = { apiVersion: RBAC, kind: 'ClusterRoleBinding', metadata: { name: 'writers' }, roleRef, subjects }
    for (const object of [...recorded.objects, writer, binding] as KubeObject[]) {
      const { status, text } = await server.post(pathOf(object), object)
      if (status !== 201) throw new Error(text)
    }
  })
  afterAll(() => server.close())

  const RESOURCES = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings']
  /** fetch would join the groups to one header. */
  const postAs = async (at: number, path: string, body: object): Promise<number> => {
    const { username, groups } = userOf(at)
    const headers = { 'content-type': 'application/json', 'impersonate-user': username, 'impersonate-group': groups }
    const sent = request(`${server.url}${path}`, { method: 'POST', headers })
    sent.end(JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }

  it('is refused in the 300 cases in which Kubernetes refuses it, and in no other', async () => {
    const wrong: unknown[] = []
    for (const [user, code, object] of recorded.escalations) {
      const status = await postAs(user, `${pathOf(object)}?dryRun=All`, object)
      if (status !== code) wrong.push({ user: userOf(user), code, status, object })
    }
    expect(recorded.escalations).toHaveLength(300)
    expect(wrong).toEqual([])
  })

  it('is judged before the object is validated', async () => {
    const ann = recorded.users.findIndex(([name]) => name === 'ann')
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]
    const create = (more: object) =>
      postAs(ann, `/apis/${RBAC}/clusterroles`, { metadata: { name: 'bad%' }, rules, ...more })
    expect(await create({})).toBe(403)
    expect(await create({ rules: [] })).toBe(422)
  })
})

function pathOf({ apiVersion, kind, metadata }: KubeObject): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`
  return `${root}${place}/${kind?.toLowerCase()}s`
}

it('a service account does what a binding allows, from the response to the binding on until its end', async () => {
  const server = await serveForTest()
  await server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } })
  const { body } = await server.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {})
  const robot = { headers: { authorization: `Bearer ${(body.status as { token: string }).token}` } }
  const maps = '/api/v1/namespaces/default/configmaps'
  const bindings = `/apis/${RBAC}/namespaces/default/rolebindings`
  expect((await server.get(maps, robot)).status).toBe(403)
  await server.post(bindings, {
    metadata: { name: 'robot' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
  })
  expect((await server.get(maps, robot)).status).toBe(200)
  expect((await server.get('/api/v1/namespaces/default/secrets', robot)).status).toBe(403)
  expect((await server.get('/api/v1/namespaces/kube-system/configmaps', robot)).status).toBe(403)
  expect((await server.post(maps, { metadata: { name: 'x' } }, robot)).status).toBe(403)
  await server.delete(`${bindings}/robot`)
  expect((await server.get(maps, robot)).status).toBe(403)
})
