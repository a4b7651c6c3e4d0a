// Every verb on every resource and subresource that discovery lists, for nobody, for somebody with every right but this one,
// for somebody with this right alone, and for the same in another namespace.

import { Agent, request } from 'node:http'
import { MemoryStore } from '@homeostat/store'
import { afterAll, expect, it } from 'vitest'
import { startApiServer, type User } from '../src/index.ts'
import { widgets } from './definitions.ts'
import { client } from './server.ts'

const store = new MemoryStore()
const server = await startApiServer({
  store,
  host: '127.0.0.1',
  port: 0,
  extensions: [
    {
      group: '',
      version: 'v1',
      resource: 'pods',
      subresource: 'log',
      verb: 'get',
      connect: async () => ({ body: 'a log' }),
    },
  ],
})
const agents = new Set<Agent>()
afterAll(async () => {
  for (const agent of agents) agent.destroy()
  await server.close()
  await store.close()
})
const admin = client(server.address.port)
const api = server.api({ username: 'admin', manager: 'test' })
const RBAC = 'rbac.authorization.k8s.io'
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']

interface Case {
  readonly verb: string
  readonly root: string
  readonly group: string
  /** With its subresource. */
  readonly path: string
  readonly namespaced: boolean
}

async function discovered(): Promise<Case[]> {
  const { body } = await admin.get('/apis')
  const groups = body.groups as unknown as { name: string; versions: { groupVersion: string }[] }[]
  const roots = [
    ['/api/v1', ''],
    ...groups.flatMap(({ name, versions }) => versions.map(({ groupVersion }) => [`/apis/${groupVersion}`, name])),
  ]
  const cases: Case[] = []
  for (const [root = '', group = ''] of roots) {
    const { resources } = (await admin.get(root)).body as unknown as {
      resources: { name: string; namespaced: boolean; verbs: string[] }[]
    }
    for (const { name, namespaced, verbs } of resources)
      for (const verb of verbs) cases.push({ verb, root, group, path: name, namespaced })
  }
  return cases
}

/** Gives the user these verbs on the resource of the case, in the namespace `lab` if it has one. */
async function allow(user: string, { group, path, namespaced }: Case, verbs: readonly string[]): Promise<void> {
  const kind = namespaced ? 'Role' : 'ClusterRole'
  const metadata = { name: user, ...(namespaced && { namespace: 'lab' }) }
  const rules = [{ apiGroups: [group], resources: [path], verbs }]
  const roleRef = { apiGroup: RBAC, kind, name: user }
  const subjects = [{ apiGroup: RBAC, kind: 'User', name: user }]
  const plural = `${kind.toLowerCase()}s`
  await api.create({ group: RBAC, resource: plural }, { apiVersion: `${RBAC}/v1`, kind, metadata, rules })
  await api.create(
    { group: RBAC, resource: plural.replace('roles', 'rolebindings') },
    { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects },
  )
}

const METHODS: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
}

interface Sent {
  readonly status: number
  readonly warning: string | undefined
}

/** Sends the request of the case about an object that does not exist; only the head of the answer is read. */
function send({ verb, root, path, namespaced }: Case, namespace: string, user: User): Promise<Sent> {
  const [resource = '', part] = path.split('/')
  const isCollection = part === undefined && ['list', 'watch', 'create', 'deletecollection'].includes(verb)
  const name = isCollection ? '' : `/absent${part === undefined ? '' : `/${part}`}`
  const query = verb === 'watch' ? '?watch=true' : METHODS[verb] === undefined ? '' : '?dryRun=All'
  const url = `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}${name}${query}`
  const agent = new Agent()
  Object.assign(agent, { createConnection: () => server.connect(user) })
  agents.add(agent)
  const type = verb === 'patch' ? 'application/merge-patch+json' : 'application/json'
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, method: METHODS[verb] ?? 'GET', path: url, headers: { 'content-type': type } },
      ({ statusCode = 0, headers }) => {
        resolve({ status: statusCode, warning: headers.warning })
        sent.destroy()
        agent.destroy()
        agents.delete(agent)
      },
    )
    sent.on('error', reject)
    // A PUT must not reach the place where it could create, which needs another right.
    sent.end(METHODS[verb] === undefined ? undefined : verb === 'update' ? '[]' : '{}')
  })
}

const person = (username: string): User => ({ username, groups: ['system:authenticated'] })
const NOBODY: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] }

/** What the default roles give to everybody who is known. */
const GIVEN = /^(selfsubjectaccessreviews|selfsubjectrulesreviews|selfsubjectreviews)$/

it('is decided by the one rule that names the verb, the resource and the namespace', async () => {
  await admin.define(widgets)
  for (const name of ['lab', 'other'])
    await api.create({ group: '', resource: 'namespaces' }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const cases = await discovered()
  expect(cases.length).toBeGreaterThan(500)
  expect(cases.some(({ path }) => path === 'widgets/status')).toBe(true)
  const wrong: unknown[] = []
  await Promise.all(
    cases.map(async (one, at) => {
      const [right, other] = [`right-${at}`, `wrong-${at}`]
      await allow(right, one, [one.verb])
      await allow(
        other,
        one,
        VERBS.filter((verb) => verb !== one.verb),
      )
      const answers: [string, number][] = []
      const nobody = await send(one, 'lab', NOBODY)
      answers.push(['nobody', nobody.status], ['right', (await send(one, 'lab', person(right))).status])
      if (!GIVEN.test(one.path)) answers.push(['wrong', (await send(one, 'lab', person(other))).status])
      if (one.namespaced) answers.push(['elsewhere', (await send(one, 'other', person(right))).status])
      for (const [who, status] of answers)
        if ((status === 403) === (who === 'right') || status === 401 || status >= 500)
          wrong.push({ who, status, verb: one.verb, path: `${one.group}/${one.path}` })
      if (nobody.warning !== undefined) wrong.push({ who: 'nobody', warning: nobody.warning })
    }),
  )
  expect(wrong).toEqual([])
})

it.each<[string, boolean, boolean]>([
  ['/', false, false],
  ['/metrics', false, false],
  ['/api', false, true],
  ['/apis', false, true],
  ['/openapi/v2', false, true],
  ['/openapi/v3', false, true],
  ['/watch', false, true],
  ['/events', false, true],
  ['/crd', false, false],
  ['/.well-known/openid-configuration', false, false],
  ['/version', true, true],
  ['/healthz', true, true],
  ['/livez', true, true],
  ['/readyz', true, true],
  ['/nowhere', false, false],
])('%s is open to nobody: %s, to everybody who is known: %s', async (path, nobody, known) => {
  const isOpen = async (user: User) => (await get(path, user)) !== 403
  expect([await isOpen(NOBODY), await isOpen(person('jane'))]).toEqual([nobody, known])
})

function get(path: string, user: User): Promise<number> {
  const agent = new Agent()
  Object.assign(agent, { createConnection: () => server.connect(user) })
  return new Promise((resolve, reject) => {
    const sent = request({ agent, path }, ({ statusCode = 0 }) => {
      resolve(statusCode)
      sent.destroy()
      agent.destroy()
    })
    sent.on('error', reject)
    sent.end()
  })
}
