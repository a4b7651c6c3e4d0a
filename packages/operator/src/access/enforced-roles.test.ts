// Operators that run with only the rights that follow from what they declare, on a server with RBAC.

import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient, type LooseObject, type TransportRequest } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { controller } from '../controller.ts'
import { describeRun } from '../describe-run.ts'
import { operator } from '../functional/operator.ts'
import { watches } from '../functional/watches.ts'
import { siteKind } from '../resources/site.fixture.ts'
import { type Runnable, type RunOptions, run } from '../run.ts'
import { settingsOf } from '../run-options.ts'
import type { AccessRule, NeededRule } from '../runtime/access-rule.ts'
import { startTestServer } from '../testing/server.fixture.ts'
import { type RequestInfo, requestInfo } from './request-info.ts'
import { type AccessRole, rolesOf } from './roles.ts'

const CHILD: AccessRule = {
  apiGroups: [''],
  resources: ['configmaps'],
  verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
}

const note = (access: readonly AccessRule[] = [CHILD]) =>
  operator(
    'ex.io/v1/Note',
    { spec: z.object({ text: z.string() }), access, watches: [watches('v1', 'Node', () => [])] },
    async ({ child, event, spec }) => {
      event({ reason: 'Seen', message: 'it was seen' })
      return [spec.text !== 'none' && child('v1', 'ConfigMap', { data: { text: spec.text } })]
    },
    { finalize: async () => {} },
  )

interface Enforced {
  readonly client: Client
  readonly refused: RequestInfo[]
  readonly rules: readonly NeededRule[]
  create(apiVersion: string, kind: string, object: object): Promise<LooseObject>
}

const USER = {
  username: 'system:serviceaccount:default:notes',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
}

/** Runs it under its own roles, with definitions that an administrator installed. */
async function enforce(
  kinds: Runnable | readonly Runnable[],
  options: RunOptions = {},
  drop?: (rules: readonly NeededRule[]) => readonly NeededRule[],
): Promise<Enforced> {
  const started = options.pull ? await testColony() : await startTestServer()
  const controlled = [kinds].flat()
  const { client } = started
  const described = await describeRun(controlled, options, settingsOf(controlled, options))
  for (const one of described.definitions) await client.resourceOf(one.apiVersion, one.kind).create(one)
  await bind(client, rolesOf(drop?.(described.rules) ?? described.rules, described.namespaces))
  const refused: RequestInfo[] = []
  const connection = 'connect' in started ? started.connect(USER) : connectTo(started.server)
  const running = run(controlled, { ...options, client: watched(connection, refused), log: silentLog })
  onTestFinished(async () => {
    await running.close()
    connection.close()
    await started.close()
  })
  // With too few rights it never is.
  if (drop === undefined) await running.ready
  return {
    client,
    refused,
    rules: described.rules,
    create: (apiVersion, kind, object) =>
      client.resourceOf<LooseObject>(apiVersion, kind).create({ apiVersion, kind, ...object } as LooseObject),
  }
}

function connectTo(server: TestColony['server']): Client {
  return createClient(nodeTransport({ url: 'http://localhost', connect: () => server.connect(USER) }))
}

/** Creates the roles and binds them to the account of the operator. */
async function bind(client: Client, roles: readonly AccessRole[]): Promise<void> {
  const [apiGroup, subjects] = [
    'rbac.authorization.k8s.io',
    [{ kind: 'ServiceAccount', name: 'notes', namespace: 'default' }],
  ]
  for (const { namespace, rules } of roles) {
    const kind = namespace === undefined ? 'ClusterRole' : 'Role'
    const head = {
      apiVersion: `${apiGroup}/v1`,
      metadata: { name: 'notes', ...(namespace !== undefined && { namespace }) },
    }
    const policy = rules.map(({ why: _, namespaces: __, ...rule }) => rule)
    const roleRef = { apiGroup, kind, name: 'notes' }
    for (const object of [
      { ...head, kind, rules: policy },
      { ...head, kind: `${kind}Binding`, roleRef, subjects },
    ])
      await client.resourceOf<ApiObject>(object.apiVersion, object.kind).create(object)
  }
}

/** Notes what the server forbids. */
function watched(client: Client, refused: RequestInfo[]): Client {
  return client.over({
    async send(request: TransportRequest) {
      const response = await client.transport.send(request)
      const info = requestInfo(request)
      if (response.status === 403 && info !== undefined) refused.push(info)
      return response
    },
    close: () => client.transport.close(),
  })
}

const ready = (object: LooseObject | undefined) => object?.status?.conditions?.find(({ type }) => type === 'Ready')

const noteObject = { metadata: { name: 'n', namespace: 'default' }, spec: { text: 'a' } }

/** From creation to deletion: child, status, Event, pruning, finalizer. */
async function liveWhole({ client, create }: Enforced): Promise<void> {
  const notes = client.resourceOf<LooseObject>('ex.io/v1', 'Note')
  const maps = client.resourceOf<LooseObject>('v1', 'ConfigMap')
  const named = { name: 'n', namespace: 'default' }
  await create('ex.io/v1', 'Note', noteObject)
  await eventually(async () => ready(await notes.find(named))?.status === 'True')
  await notes.patch(named, { spec: { text: 'none' } })
  await eventually(async () => (await maps.find(named)) === undefined)
  await notes.delete(named)
  await eventually(async () => (await notes.find(named)) === undefined)
  const events = client.resourceOf<LooseObject>('events.k8s.io/v1', 'Event')
  await eventually(async () => (await events.list({ namespace: 'default' })).items.length > 0)
}

it('a functional operator lives with the rights of its definition and its access', async () => {
  const enforced = await enforce(note(), { leaderElection: true, name: 'notes' })
  await liveWhole(enforced)
  // The definition is installed with the manifests, so that the operator may not even read it.
  expect(enforced.refused.filter(({ resource }) => resource !== 'customresourcedefinitions')).toEqual([])
})

it('an operator of one namespace lives with roles in that namespace', async () => {
  const kind = { ...note(), watches: [] }
  const enforced = await enforce(kind, { namespace: 'default', name: 'notes' })
  const roles = rolesOf(enforced.rules, ['default'])
  expect(roles.map(({ namespace }) => namespace)).toEqual(['default'])
  await liveWhole(enforced)
  expect(enforced.refused.filter(({ resource }) => resource !== 'customresourcedefinitions')).toEqual([])
})

it('an operator of the namespaces with a label may look at Namespaces', async () => {
  const kind = { ...note(), watches: [] }
  const labels = 'kubernetes.io/metadata.name=default'
  const enforced = await enforce(kind, { namespaces: { labels }, name: 'notes' })
  await liveWhole(enforced)
  expect(enforced.refused.filter(({ resource }) => resource !== 'customresourcedefinitions')).toEqual([])
})

it('shards have their own Leases', async () => {
  const enforced = await enforce(note(), { shards: true, name: 'notes' })
  await liveWhole(enforced)
  expect(enforced.refused.filter(({ resource }) => resource !== 'customresourcedefinitions')).toEqual([])
})

it('an operator that installs its definitions says so, and has the rights', async () => {
  const enforced = await enforce(note(), { install: true, name: 'notes' })
  await liveWhole(enforced)
  expect(enforced.refused).toEqual([])
})

it('an operator that pulls lives with rights on the queue instead of watches on its kinds', async () => {
  const kind = { ...note(), watches: [] }
  const enforced = await enforce(kind, { pull: { executorType: 'notes', interval: '0s' }, name: 'notes' })
  await liveWhole(enforced)
  // It may not look at the namespace of its colony, and does without.
  const beside = ['customresourcedefinitions', 'namespaces']
  expect(enforced.refused.filter(({ resource }) => !beside.includes(resource))).toEqual([])
  expect(enforced.rules.find(({ resources }) => resources.includes('notes'))?.verbs).toEqual(['get', 'patch'])
})

it('a kind of the class style lives with the rights of its definition and its access', async () => {
  const site = siteKind((one) => one.config.current?.patch(one.manifest) ?? Promise.resolve())
  const { client, create, refused } = await enforce({ ...site, access: [CHILD] })
  await create(site.apiVersion, site.kind, { metadata: { name: 's', namespace: 'default' }, spec: {} })
  const sites = client.resourceOf<LooseObject>(site.apiVersion, site.kind)
  await eventually(async () => ready(await sites.find({ name: 's', namespace: 'default' }))?.status === 'True')
  expect(refused.filter(({ resource }) => resource !== 'customresourcedefinitions')).toEqual([])
})

it('a controller of a kind of Kubernetes may only read it, unless it cleans up or reports', async () => {
  const seen: string[] = []
  const maps = controller('v1', 'ConfigMap', async ({ object }) => void seen.push(object.metadata.name ?? ''))
  const { create, refused, rules } = await enforce(maps)
  await create('v1', 'ConfigMap', { metadata: { name: 'm', namespace: 'default' } })
  await eventually(() => seen.includes('m'))
  expect(refused).toEqual([])
  expect(rules.find(({ resources }) => resources.includes('configmaps'))?.verbs).toEqual(['get', 'list', 'watch'])
  const cleans = controller('v1', 'ConfigMap', { reconcile: async () => {}, cleanup: async () => {} })
  const described = await describeRun([cleans], {}, settingsOf([cleans], {}))
  expect(described.rules[0]?.verbs).toEqual(['get', 'list', 'watch', 'patch'])
})

it.each(['Note itself', 'the status of', 'Events', 'Node, which', 'the Lease', 'declared by Note'])(
  'without the rule for %s, something is refused',
  async (why) => {
    const dropped = (rules: readonly NeededRule[]) => rules.filter((rule) => !rule.why.startsWith(why))
    const { create, refused, rules } = await enforce(note(), { leaderElection: true, name: 'notes' }, dropped)
    expect(dropped(rules).length).toBeLessThan(rules.length)
    await create('ex.io/v1', 'Note', noteObject)
    await eventually(() => refused.some(({ resource }) => resource !== 'customresourcedefinitions'))
  },
)
