import { ManualClock } from '@homeostat/base'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type Call,
  COLONY,
  callsOf,
  credentialed,
  executorObject,
  tokenOf,
  withToken,
} from './executor-accounts.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const HOUR = 3_600_000

let clock: ManualClock
let colony: TestColony
let admin: Call

beforeAll(async () => {
  clock = new ManualClock(NOW)
  colony = await testColony({ clock })
  admin = callsOf(colony.client)
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'lab' } })
})
afterAll(() => colony.close())

/** A bootstrap token as the command makes it; returns a join with its secret. */
async function bootstrap(name: string, spec: object = {}) {
  const object = {
    apiVersion: 'colonies.io/v1',
    kind: 'BootstrapToken',
    metadata: { name },
    spec: { executorType: 'python', uses: 1, expiresAt: new Date(clock.now() + HOUR).toISOString(), ...spec },
  }
  expect(await admin('POST', `${COLONY}/bootstraptokens`, object)).toMatchObject({ code: 200 })
  const account = `bootstrap-${name}`
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab'
  const rule = {
    apiGroups: ['colonies.io'],
    resources: ['bootstraptokens/join'],
    resourceNames: [name],
    verbs: ['create'],
  }
  const metadata = { name: account }
  await admin('POST', '/api/v1/namespaces/lab/serviceaccounts', { metadata })
  await admin('POST', `${rbac}/roles`, { metadata, rules: [rule] })
  await admin('POST', `${rbac}/rolebindings`, {
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'lab' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
  })
  const { call } = withToken(colony.server, await tokenOf(colony.client, 'lab', account))
  return {
    call,
    join: (body: object = {}, of = name): Promise<Answer> => call('POST', `${COLONY}/bootstraptokens/${of}/join`, body),
  }
}

async function accounts(): Promise<number> {
  const { body } = await admin('GET', '/api/v1/namespaces/lab/serviceaccounts')
  return body.items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith('executor-'))
    .length
}

test('a bootstrap token is traded for a credential that works', async () => {
  const { join } = await bootstrap('one')
  const { body } = await join({ name: 'newcomer' })
  expect(body).toMatchObject({ executor: 'newcomer', colony: 'lab', type: 'python', approved: true })
  const { call } = withToken(colony.server, body.token)
  expect(await call('POST', `${COLONY}/executors`, executorObject('newcomer'))).toMatchObject({ code: 200 })
  expect(await call('POST', `${COLONY}/executors/newcomer/assign?timeoutSeconds=0`, {})).toMatchObject({ code: 200 })
  expect(await call('POST', `${COLONY}/executors`, executorObject('other'))).toMatchObject({ code: 403 })
})

test('it lets in as many as it says, counted exactly when they come at once', async () => {
  const { join } = await bootstrap('three', { uses: 3 })
  const before = await accounts()
  const answers = await Promise.all(Array.from({ length: 12 }, () => join()))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(3)
  const refused = answers.filter(({ code }) => code !== 200)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([403]))
  expect(refused[0]?.body.message).toContain('all of its 3 uses are taken')
  expect(await accounts()).toBe(before + 3)
  const { body } = await admin('GET', `${COLONY}/bootstraptokens/three`)
  expect(body.status.used).toBe(3)
  expect([...body.status.executors].sort()).toEqual(
    answers.flatMap(({ code, body }) => (code === 200 ? [body.executor] : [])).sort(),
  )
})

test('after its end it lets nobody in, and nothing is written', async () => {
  const { join } = await bootstrap('short', { expiresAt: new Date(clock.now()).toISOString() })
  const before = await accounts()
  const answer = await join()
  expect(answer).toMatchObject({ code: 403 })
  expect(answer.body.message).toContain('it ended at')
  expect(await accounts()).toBe(before)
  expect((await admin('GET', `${COLONY}/bootstraptokens/short`)).body.status).toBeUndefined()
})

test('nobody joins as an executor that is there, and the use is not lost', async () => {
  await credentialed(colony, { name: 'victim' })
  const { join } = await bootstrap('thief')
  expect(await join({ name: 'victim' })).toMatchObject({ code: 409 })
  expect((await admin('GET', `${COLONY}/bootstraptokens/thief`)).body.status.used).toBe(0)
  expect(await join({ name: 'honest' })).toMatchObject({ code: 200 })
})

test('its secret is good for nothing else, and for no other bootstrap token', async () => {
  const { call, join } = await bootstrap('narrow')
  await bootstrap('neighbour')
  expect(await join({}, 'neighbour')).toMatchObject({ code: 403 })
  expect(await call('GET', `${COLONY}/bootstraptokens/narrow`)).toMatchObject({ code: 403 })
  expect(await call('POST', `${COLONY}/executors`, executorObject('narrow'))).toMatchObject({ code: 403 })
  const raise = { spec: { uses: 100 } }
  const merge = 'application/merge-patch+json'
  expect(await call('PATCH', `${COLONY}/bootstraptokens/narrow`, raise, merge)).toMatchObject({ code: 403 })
  const status = { status: { used: -1 } }
  expect(await call('PATCH', `${COLONY}/bootstraptokens/narrow/status`, status, merge)).toMatchObject({ code: 403 })
})

test('a deleted one lets nobody in', async () => {
  const { join } = await bootstrap('gone')
  await admin('DELETE', `${COLONY}/bootstraptokens/gone`)
  expect(await join()).toMatchObject({ code: 404 })
})

test('with approval, an executor waits until it has the binding of its role', async () => {
  const { join } = await bootstrap('asking', { approval: true })
  const { body } = await join({ name: 'patient' })
  expect(body.approved).toBe(false)
  expect((await admin('GET', `${COLONY}/executors/patient`)).body).toMatchObject({
    spec: { type: 'python', serviceAccountName: 'executor-patient' },
    status: { phase: 'Pending' },
  })
  const { call } = withToken(colony.server, body.token)
  const assign = () => call('POST', `${COLONY}/executors/patient/assign?timeoutSeconds=0`, {})
  expect(await assign()).toMatchObject({ code: 403 })
  const { body: role } = await admin('GET', '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/roles/executor-patient')
  await admin('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/rolebindings', {
    metadata: { name: role.metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: 'executor-patient', namespace: 'lab' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.metadata.name },
  })
  expect(await assign()).toMatchObject({ code: 200 })
})

test.each([[{ name: 7 }], [{ name: 'No_Name' }], [{ name: 'a'.repeat(201) }], ['text']])(
  'a body that is not right is refused: %j',
  async (body) => {
    const token = `bad-${JSON.stringify(body).length}`
    const { join } = await bootstrap(token)
    expect(await join(body as object)).toMatchObject({ code: 400 })
    expect((await admin('GET', `${COLONY}/bootstraptokens/${token}`)).body.status).toBeUndefined()
  },
)

test('whoever writes one must hold what it gives: an editor of the namespace does not get more by it', async () => {
  await bootstrap('kept')
  const editor = { username: 'ed', groups: ['system:authenticated'] }
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab'
  const grant = async (name: string, roleRef: object) =>
    admin('POST', `${rbac}/rolebindings`, {
      metadata: { name },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ed' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
    })
  await grant('ed', { kind: 'ClusterRole', name: 'edit' })
  const client = createClient(nodeTransport({ url: 'http://localhost', connect: () => colony.server.connect(editor) }))
  const call = callsOf(client)
  const path = `${COLONY}/bootstraptokens`
  const spec = { executorType: 'python', uses: 1, expiresAt: new Date(clock.now() + HOUR).toISOString() }
  const object = { apiVersion: 'colonies.io/v1', kind: 'BootstrapToken', metadata: { name: 'own' }, spec }
  const merge = 'application/merge-patch+json'
  const more = { spec: { children: ['roles.rbac.authorization.k8s.io'] } }
  expect(await call('POST', path, object)).toMatchObject({ code: 403 })
  expect(await call('PATCH', `${path}/kept`, more, merge)).toMatchObject({ code: 403 })
  expect(await call('PATCH', `${path}/kept`, { spec: { uses: 9 } }, merge)).toMatchObject({ code: 403 })
  expect(await call('PATCH', `${path}/kept`, { metadata: { labels: { a: 'b' } } }, merge)).toMatchObject({ code: 200 })

  const rules = [
    { apiGroups: ['colonies.io'], resources: ['executors/assign'], verbs: ['create'] },
    { apiGroups: ['colonies.io'], resources: ['executortypes'], resourceNames: ['python'], verbs: ['use'] },
  ]
  await admin('POST', `${rbac}/roles`, { metadata: { name: 'fleet' }, rules })
  await grant('ed-fleet', { kind: 'Role', name: 'fleet' })
  expect(await call('PATCH', `${path}/kept`, { spec: { uses: 9 } }, merge)).toMatchObject({ code: 200 })
  expect(await call('PATCH', `${path}/kept`, { spec: { executorType: 'gpu' } }, merge)).toMatchObject({ code: 403 })
  const refused = await call('PATCH', `${path}/kept`, more, merge)
  expect(refused.body.message).toContain('cannot get resource "roles" in API group "rbac.authorization.k8s.io"')
  expect(await call('PATCH', `${path}/kept`, { spec: { children: ['*.*'] } }, merge)).toMatchObject({ code: 403 })
  expect(await call('PATCH', `${path}/kept`, { spec: { children: ['configmaps'] } }, merge)).toMatchObject({
    code: 200,
  })
  expect(await call('PATCH', `${path}/kept`, { spec: { children: ['secrets/history'] } }, merge)).toMatchObject({
    code: 403,
  })
  client.close()
})

test('tokens that let nobody in any more are removed an hour later, others stay', async () => {
  const names = async () => {
    const { items } = await colony.client.resource('colonies.io/v1', 'BootstrapToken').list({ namespace: 'lab' })
    return items.map(({ metadata }) => metadata.name)
  }
  const inDays = new Date(clock.now() + 48 * HOUR).toISOString()
  const { join: joinUsed } = await bootstrap('spent-used', { expiresAt: inDays })
  await bootstrap('spent-ended')
  await bootstrap('spent-open', { expiresAt: inDays })
  expect(await joinUsed()).toMatchObject({ code: 200 })
  // Used up or ended, and still there to say so.
  clock.advance(HOUR - 1000)
  expect(await joinUsed()).toMatchObject({ code: 403 })
  expect(await names()).toEqual(expect.arrayContaining(['spent-ended', 'spent-open', 'spent-used']))
  clock.advance(2000)
  await expect.poll(names).not.toContain('spent-used')
  expect(await names()).toContain('spent-ended')
  clock.advance(HOUR)
  await expect.poll(names).not.toContain('spent-ended')
  expect(await names()).toContain('spent-open')
})
