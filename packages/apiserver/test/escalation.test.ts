// Somebody who may write every role and binding, and holds little else, tries to get more by changing what is there. Each try
// is refused, and neither roles nor rights are different afterwards.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, serve, type TestServer } from './server.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const LAB = `${RBAC}/namespaces/lab`
const ROLES = `${LAB}/roles`
const ACCOUNTS = '/api/v1/namespaces/lab/serviceaccounts'
const SECRETS = '/api/v1/namespaces/lab/secrets'
const group = 'rbac.authorization.k8s.io'
const WRITE = ['get', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection']
const KINDS = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings']
const readMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }
const readSecrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }
const mallory = { kind: 'User', apiGroup: group, name: 'mallory' }
const as = { headers: { 'impersonate-user': 'mallory' } }
const applied = { ...as, type: 'application/apply-patch+yaml' }
const roleRef = (name: string, kind = 'ClusterRole') => ({ apiGroup: group, kind, name })

let server: TestServer
let before: unknown

beforeAll(async () => {
  server = await serve()
  const ok = async (answer: Promise<Answer>) => {
    const { status, text } = await answer
    if (status !== 201) throw new Error(text)
  }
  const clusterRole = (name: string, rules: object[], labels = {}) =>
    ok(server.post(`${RBAC}/clusterroles`, { metadata: { name, labels }, rules }))
  const bound = (name: string, ref: string, subjects: object[]) =>
    ok(server.post(`${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef: roleRef(ref), subjects }))
  await ok(server.post('/api/v1/namespaces', { metadata: { name: 'lab' } }))
  await clusterRole('role-writer', [
    { apiGroups: [group], resources: KINDS, verbs: WRITE },
    { apiGroups: [''], resources: ['serviceaccounts', 'pods'], verbs: ['get', 'create'] },
    { ...readSecrets, verbs: ['create'] },
    readMaps,
  ])
  await bound('mallory', 'role-writer', [mallory])
  await clusterRole('own', [readMaps])
  await clusterRole('powerful', [readSecrets])
  await bound('others', 'powerful', [{ ...mallory, name: 'ann' }])
  await ok(
    server.post(`${RBAC}/clusterroles`, {
      metadata: { name: 'gathering' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { gather: 'yes' } }] },
    }),
  )
  await bound('gathered', 'gathering', [mallory])
  await ok(server.post(ROLES, { metadata: { name: 'mine' }, rules: [readMaps] }))
  await ok(
    server.post(`${LAB}/rolebindings`, {
      metadata: { name: 'mine' },
      roleRef: roleRef('mine', 'Role'),
      subjects: [mallory],
    }),
  )
  await ok(server.post(ACCOUNTS, { metadata: { name: 'strong' } }))
  await bound('strong', 'cluster-admin', [{ kind: 'ServiceAccount', name: 'strong', namespace: 'lab' }])
})
afterAll(() => server.close())

/** Every role and binding there is. */
async function rights(): Promise<unknown> {
  const lists = await Promise.all(KINDS.map((kind) => server.get(`${RBAC}/${kind}`)))
  return lists.map(({ body }) => body.items)
}

beforeEach(async () => {
  before = await rights()
})
afterEach(async () => {
  expect(await rights()).toEqual(before)
  expect((await server.get(SECRETS, as)).status).toBe(403)
  expect((await server.get('/api/v1/secrets', as)).status).toBe(403)
})

const role = (rules: object[], more: object = {}) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'mine', ...more },
  rules,
})
const add = [{ op: 'add', path: '/rules/-', value: readSecrets }]
const list = (kind: string, items: object[]) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, items })

describe('a role that mallory is bound to gets no more', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['a PUT', () => server.put(`${ROLES}/mine`, role([readMaps, readSecrets]), as)],
    ['a merge patch', () => server.patch(`${ROLES}/mine`, { rules: [readSecrets] }, as)],
    ['a JSON patch', () => server.patch(`${ROLES}/mine`, add, as)],
    [
      'a strategic merge patch',
      () =>
        server.patch(
          `${ROLES}/mine`,
          { rules: [readSecrets] },
          { ...as, type: 'application/strategic-merge-patch+json' },
        ),
    ],
    [
      'an apply by force',
      () => server.send('PATCH', `${ROLES}/mine?fieldManager=m&force=true`, { ...applied, body: role([readSecrets]) }),
    ],
    ['a wildcard', () => server.patch(`${ROLES}/mine`, { rules: [{ ...readMaps, resources: ['*'] }] }, as)],
    ['another verb', () => server.patch(`${ROLES}/mine`, { rules: [{ ...readMaps, verbs: ['*'] }] }, as)],
    [
      'the verb escalate',
      () =>
        server.patch(
          `${ROLES}/mine`,
          { rules: [{ apiGroups: [group], resources: ['roles'], verbs: ['escalate'] }] },
          as,
        ),
    ],
    [
      'a rule hidden behind an owner and a finalizer',
      () => server.patch(`${ROLES}/mine`, { metadata: { finalizers: ['a.io/b'] }, rules: [readSecrets] }, as),
    ],
    [
      'a JSON patch of a cluster role',
      () =>
        server.patch(
          `${RBAC}/clusterroles/own`,
          [{ op: 'copy', from: '/metadata/name', path: '/metadata/annotations' }, ...add],
          as,
        ),
    ],
    [
      'urls',
      () => server.patch(`${RBAC}/clusterroles/own`, { rules: [{ nonResourceURLs: ['*'], verbs: ['get'] }] }, as),
    ],
  ])('by %s', async (_, attempt) => {
    const { status, text } = await attempt()
    expect([403, 422], text).toContain(status)
  })

  it('by a list with a role among others: what is refused is not written', async () => {
    const items = [role([readSecrets], { name: 'hidden' })]
    expect((await server.post(ROLES, list('RoleList', items), as)).status).toBeGreaterThanOrEqual(400)
    expect((await server.get(`${ROLES}/hidden`)).status).toBe(404)
  })
})

describe('a role that gathers others gets no more', () => {
  const labelled = { labels: { gather: 'yes' } }

  it.each<[string, () => Promise<Answer>]>([
    [
      'a new role with its label',
      () => server.post(`${RBAC}/clusterroles`, { metadata: { name: 'bait', ...labelled }, rules: [readSecrets] }, as),
    ],
    ['its label on a powerful role', () => server.patch(`${RBAC}/clusterroles/powerful`, { metadata: labelled }, as)],
    [
      'its label on a default role',
      () => server.patch(`${RBAC}/clusterroles/cluster-admin`, { metadata: labelled }, as),
    ],
    [
      'another selector',
      () => server.patch(`${RBAC}/clusterroles/gathering`, { aggregationRule: { clusterRoleSelectors: [{}] } }, as),
    ],
    [
      'an aggregation of one’s own',
      () =>
        server.post(
          `${RBAC}/clusterroles`,
          { metadata: { name: 'gather-all' }, aggregationRule: { clusterRoleSelectors: [{}] } },
          as,
        ),
    ],
    [
      'rules in place of those it gathered',
      () => server.patch(`${RBAC}/clusterroles/gathering`, { rules: [readSecrets] }, as),
    ],
  ])('by %s', async (_, attempt) => {
    expect((await attempt()).status).toBe(403)
  })
})

describe('a binding gives no more', () => {
  const bindings = `${RBAC}/clusterrolebindings`

  it.each<[string, () => Promise<Answer>]>([
    ['oneself among its subjects', () => server.patch(`${bindings}/others`, { subjects: [mallory] }, as)],
    [
      'everybody among its subjects',
      () =>
        server.patch(
          `${bindings}/cluster-admin`,
          [{ op: 'add', path: '/subjects/-', value: { kind: 'Group', apiGroup: group, name: 'system:authenticated' } }],
          as,
        ),
    ],
    ['another role', () => server.patch(`${bindings}/gathered`, { roleRef: roleRef('cluster-admin') }, as)],
    [
      'a new binding',
      () =>
        server.post(
          bindings,
          { metadata: { generateName: 'x-' }, roleRef: roleRef('powerful'), subjects: [mallory] },
          as,
        ),
    ],
    [
      'a new binding in a namespace',
      () =>
        server.post(
          `${LAB}/rolebindings`,
          { metadata: { name: 'x' }, roleRef: roleRef('admin'), subjects: [mallory] },
          as,
        ),
    ],
    [
      'an apply that creates',
      () =>
        server.send('PATCH', `${bindings}/x?fieldManager=m`, {
          ...applied,
          body: {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRoleBinding',
            metadata: { name: 'x' },
            roleRef: roleRef('powerful'),
            subjects: [mallory],
          },
        }),
    ],
    [
      'a binding to a role that is still to come',
      () => server.post(bindings, { metadata: { name: 'x' }, roleRef: roleRef('later'), subjects: [mallory] }, as),
    ],
  ])('by %s', async (_, attempt) => {
    const { status, text } = await attempt()
    expect([403, 404, 422], text).toContain(status)
    expect(status).not.toBe(201)
  })
})

describe('the token of a stronger account is not had', () => {
  it('by a request for one', async () => {
    expect((await server.post(`${ACCOUNTS}/strong/token`, {}, as)).status).toBe(403)
  })

  it('by a Secret for one: nothing is filled into it, and what it says is no credential', async () => {
    const made = await server.post(
      SECRETS,
      {
        metadata: { name: 'bait', annotations: { 'kubernetes.io/service-account.name': 'strong' } },
        type: 'kubernetes.io/service-account-token',
        stringData: { mine: 'x' },
      },
      as,
    )
    expect(made.status).toBe(201)
    await server.post('/api/v1/namespaces/lab/configmaps', { metadata: { name: 'later' } })
    expect(Object.keys((await server.get(`${SECRETS}/bait`)).body.data as object)).toEqual(['mine'])
    expect((await server.get('/version', { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })

  it('by acting as it', async () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:lab:strong' }
    const { body } = await server.post(`${ACCOUNTS}/strong/token`, {})
    expect((body.status as { token: string }).token).toContain('.')
    const weak = await server.post(ACCOUNTS, { metadata: { name: 'weak' } }, as)
    expect(weak.status).toBe(201)
    const token = ((await server.post(`${ACCOUNTS}/weak/token`, {})).body.status as { token: string }).token
    const asWeak = { headers: { authorization: `Bearer ${token}`, ...headers } }
    expect((await server.get(SECRETS, asWeak)).status).toBe(403)
  })
})
