// Operators of some namespaces, on a real server: by a list, by labels, in both styles.

import { eventually } from '@homeostat/base/testing/eventually'
import { type Client, createClient } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { controller } from './controller.ts'
import { operator } from './functional/operator.ts'
import { GROUP } from './resources/class-style.fixture.ts'
import { siteKind } from './resources/site.fixture.ts'
import { CONFIG_MAP, type Operated, stage, WIDGET } from './runtime/operate.fixture.ts'

async function staged(namespaces: Record<string, object> = { a: {}, b: {}, c: {} }) {
  const { client, operate } = await stage()
  for (const [name, labels] of Object.entries(namespaces)) {
    await client.resource('v1', 'Namespace').create({ metadata: { name, labels } } as object)
  }
  return { client, operate, create: creating(client), label: labelling(client) }
}

const creating =
  (client: Client) =>
  (namespace: string, name: string, more: object = {}) => {
    const object = { ...WIDGET, ...more, metadata: { name, namespace } }
    return client.resourceOf(object.apiVersion, object.kind).create(object)
  }

const labelling = (client: Client) => (name: string, labels: Record<string, string | null>) =>
  client.resourceOf('v1', 'Namespace').patch({ name }, { metadata: { labels } })

/** Gives the user `operator` a Role in the namespace. */
async function allow(client: Client, namespace: string, rules: object[]): Promise<void> {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const metadata = { name: 'operator', namespace }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'operator' }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'operator' }]
  await client.resourceOf(apiVersion, 'Role').create({ metadata, rules } as object)
  await client.resourceOf(apiVersion, 'RoleBinding').create({ metadata, roleRef, subjects } as object)
}

/** Notes its runs, and applies a ConfigMap of the same name. */
const noting = (seen: string[]) =>
  controller('example.com/v1', 'Widget', async (run) => {
    const { namespace = '', name = '' } = run.object.metadata
    seen.push(`${namespace}/${name}`)
    await run.apply({ ...CONFIG_MAP, metadata: { name, namespace }, data: { a: '1' } })
  })

/** The namespaces of its requests; `*` for requests over all of them. */
function asked({ reads, writes }: Operated): string[] {
  const paths = [...reads, ...writes].map((path) => path.replace(/\?.*/, ''))
  const places = paths.flatMap((path) => {
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? []
    if (namespace !== undefined) return [namespace]
    return /\/(widgets|configmaps|sites|shops)$/.test(path) ? ['*'] : []
  })
  return [...new Set(places)].sort()
}

describe('a list of namespaces', () => {
  it('is all that an operator reads and touches', async () => {
    const { client, operate, create } = await staged()
    for (const namespace of ['a', 'b', 'c']) await create(namespace, 'one')
    const seen: string[] = []
    const running = await operate(noting(seen), { namespaces: ['a', 'b'] })
    await create('c', 'two')
    await create('b', 'two')
    await eventually(() => seen.includes('b/two'))
    await running.idle()
    expect([...new Set(seen)].sort()).toEqual(['a/one', 'b/one', 'b/two'])
    expect(asked(running)).toEqual(['a', 'b'])
    const watches = running.reads.filter((path) => path.includes('watch=') && path.includes('/widgets'))
    expect(watches).toHaveLength(2)
    expect(running.caches().map(({ kind, size }) => `${kind} ${size}`)).toContain('Widget 3')
    expect(await client.resource('v1', 'ConfigMap').find({ name: 'one', namespace: 'c' })).toBeUndefined()
  })

  it('is where reads of all namespaces look, also past a narrowed cache', async () => {
    const { operate, create } = await staged()
    for (const namespace of ['a', 'b', 'c']) await create(namespace, 'settings', CONFIG_MAP)
    await create('a', 'one')
    const seen: string[][] = []
    const reading = controller('example.com/v1', 'Widget', async (run) => {
      const found = await run.readAll(CONFIG_MAP)
      seen.push(found.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
    })
    for (const caches of [{}, { 'v1/ConfigMap': { labelSelector: 'app=x' } }]) {
      for (const namespaces of [['a', 'b'], ['a']]) {
        const running = await operate(reading, { namespaces, caches })
        await eventually(() => seen.length > 0)
        await running.close()
        expect(asked(running)).toEqual(namespaces)
        const names = (seen.pop() ?? []).filter((name) => name.endsWith('/settings'))
        expect(names.sort()).toEqual(namespaces.map((name) => `${name}/settings`))
        seen.length = 0
      }
    }
  })

  it('holds for children and caches of both styles', async () => {
    const { client, operate, create } = await staged()
    const shop = operator('example.com/v1/Shop', { spec: z.object({}) }, ({ child }) => [
      child('v1', 'ConfigMap', { data: { a: '1' } }),
    ])
    const site = siteKind(async (site) => site.config.current?.ensure(site.manifest))
    const running = await operate([shop, site], { namespaces: ['a', 'b'], install: true })
    for (const namespace of ['c', 'a', 'b']) {
      await create(namespace, 'shop', { apiVersion: 'example.com/v1', kind: 'Shop', spec: {} })
      await create(namespace, 'site', { apiVersion: `${GROUP}/v1`, kind: 'Site', spec: {} })
    }
    const map = (name: string, namespace: string) => client.resource('v1', 'ConfigMap').find({ name, namespace })
    for (const namespace of ['a', 'b']) {
      await eventually(() => map('shop', namespace))
      await eventually(() => map('site', namespace))
    }
    await running.idle()
    expect(asked(running)).toEqual(['a', 'b'])
    expect([await map('shop', 'c'), await map('site', 'c')]).toEqual([undefined, undefined])
  })

  it('needs Roles in these namespaces and nothing else, also for shards', async () => {
    const { client, operate, create } = await staged()
    const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
    const rules = [
      { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: all },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all.filter((verb) => verb !== 'get') },
    ]
    await Promise.all(['a', 'b'].map((namespace) => allow(client, namespace, rules)))
    for (const namespace of ['a', 'b', 'c']) await create(namespace, 'one')
    const seen: string[] = []
    const user = { username: 'operator', groups: ['system:authenticated'] }
    const running = await operate(noting(seen), { namespaces: ['a', 'b'], shards: true, user })
    await eventually(() => seen.includes('a/one') && seen.includes('b/one'))
    await running.idle()
    expect(running.writes).toContain('PATCH /api/v1/namespaces/b/configmaps/one')
    expect(asked(running)).toEqual(['a', 'b'])
  })

  it('goes on without a namespace that the server refuses', async () => {
    const { operate, create } = await staged()
    await create('a', 'one')
    const seen: string[] = []
    const warned: object[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warned.push(fields) }
    await operate(noting(seen), { namespaces: ['b', 'a'], forbidden: /namespaces\/b\//, log })
    await eventually(() => seen.includes('a/one'))
    expect(warned).toContainEqual(expect.objectContaining({ kind: 'Widget', namespace: 'b' }))
  })

  it('leaves cluster-scoped kinds as they are, with one watch', async () => {
    const { client, operate } = await staged()
    const seen: string[] = []
    const roles = controller('rbac.authorization.k8s.io/v1', 'ClusterRole', async ({ object }) => {
      seen.push(object.metadata.name ?? '')
    })
    const running = await operate(roles, { namespaces: ['a', 'b'] })
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
    await client.resource('rbac.authorization.k8s.io/v1', 'ClusterRole').create({ metadata: { name: 'x' }, rules })
    await eventually(() => seen.includes('x'))
    expect(running.reads.filter((path) => path.includes('watch='))).toHaveLength(1)
  })

  it('is checked before anything starts', async () => {
    const { operate } = await staged({})
    const refused = (options: object) => expect(operate(noting([]), options)).rejects
    await refused({ namespaces: [] }).toThrow('leave namespaces out to serve all')
    await refused({ namespaces: [''] }).toThrow('leave namespaces out to serve all')
    await refused({ namespaces: { labels: '' } }).toThrow('selects every namespace')
    await refused({ namespaces: { labels: 'a in' } }).toThrow('unable to parse requirement')
    await refused({ namespace: 'a', namespaces: ['a'] }).toThrow('either namespace or namespaces')
    const pull = { executorType: 'x' }
    await refused({ pull, namespaces: ['a', 'b'] }).toThrow('one colony')
  })
})

describe('namespaces by label', () => {
  it('are served from when they have the label until they lose it, without a restart', async () => {
    const { client, operate, create, label } = await staged({ a: { team: 'x' }, b: {}, c: {} })
    for (const namespace of ['a', 'b', 'c']) await create(namespace, 'one')
    const seen: string[] = []
    const running = await operate(noting(seen), { namespaces: { labels: 'team=x' } })
    await eventually(() => seen.includes('a/one'))
    await label('b', { team: 'x' })
    await eventually(() => seen.includes('b/one'))
    await running.idle()
    expect(asked(running)).toEqual(['a', 'b'])

    await label('a', { team: null })
    const cached = (kind: string) => running.caches().find((cache) => cache.kind === kind)?.size
    await eventually(() => cached('Widget') === 1 && running.sizes().states === 1)
    await running.idle()
    const { reads, writes } = running
    const before = [seen.length, reads.length, writes.length]
    await client.resourceOf('example.com/v1', 'Widget').patch({ name: 'one', namespace: 'a' }, { spec: { new: true } })
    await client.resource('v1', 'ConfigMap').delete({ name: 'one', namespace: 'a' })
    await create('b', 'two')
    await eventually(() => seen.includes('b/two'))
    await running.idle()
    expect(seen.slice(before[0]).filter((name) => name.startsWith('a/'))).toEqual([])
    const later = [...reads.slice(before[1]), ...writes.slice(before[2])]
    expect(later.filter((path) => path.includes('/namespaces/a/'))).toEqual([])
    expect(running.sizes()).toMatchObject({ states: 2, readers: 2, sent: 2 })

    await label('a', { team: 'x' })
    await eventually(() => client.resource('v1', 'ConfigMap').find({ name: 'one', namespace: 'a' }))
  })

  it('hold up no reads in the others while their first list takes its time, and are read from the server until then', async () => {
    const { client, operate, create, label } = await staged({ a: { team: 'x' }, b: {} })
    const { transport } = client
    const slow = createClient({
      send: (request) =>
        /namespaces\/b\/configmaps\?/.test(request.path) ? new Promise(() => {}) : transport.send(request),
      close() {},
    })
    const seen: string[] = []
    await operate(noting(seen), { namespaces: { labels: 'team=x' }, client: slow })
    await create('a', 'one')
    const copy = (name: string, namespace: string) => client.resource('v1', 'ConfigMap').find({ name, namespace })
    await eventually(() => copy('one', 'a'))
    await label('b', { team: 'x' })
    await create('b', 'one')
    await eventually(() => copy('one', 'b'))
    await create('a', 'two')
    await eventually(() => copy('two', 'a'))
  })

  it('lose nothing that is deleted between a read from the server and their first list', async () => {
    const { client, operate, create, label } = await staged({ a: { team: 'x' }, b: { team: 'x' } })
    const { transport } = client
    const listed = Promise.withResolvers<void>()
    const slow = createClient({
      async send(request) {
        if (/namespaces\/b\/configmaps\?/.test(request.path)) await listed.promise
        return transport.send(request)
      },
      close() {},
    })
    const seen: string[] = []
    const copy = () => client.resource('v1', 'ConfigMap').find({ name: 'one', namespace: 'b' })
    await create('a', 'one')
    await create('b', 'one')
    const earlier = await operate(noting([]), { namespaces: { labels: 'team=x' } })
    await eventually(copy)
    await earlier.close()
    await label('b', { team: null })
    const running = await operate(noting(seen), { namespaces: { labels: 'team=x' }, client: slow })
    await eventually(() => seen.includes('a/one'))
    await label('b', { team: 'x' })
    await eventually(() => seen.includes('b/one'))
    await running.idle()
    await client.resource('v1', 'ConfigMap').delete({ name: 'one', namespace: 'b' })
    listed.resolve()
    await eventually(copy)
  })

  it('that leave end their reconciles, keep their finalizers, and are cleaned up when they are served again', async () => {
    const { client, operate, create, label } = await staged({ a: { team: 'x' } })
    const started = Promise.withResolvers<void>()
    const ended: unknown[] = []
    let cleaned = 0
    const holding = controller('example.com/v1', 'Widget', {
      reconcile: async ({ signal }) => {
        started.resolve()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        ended.push(signal.reason)
      },
      cleanup: async () => void cleaned++,
    })
    const running = await operate(holding, { namespaces: { labels: 'team=x' } })
    await create('a', 'one')
    await started.promise
    await label('a', { team: null })
    await eventually(() => ended.length === 1)
    expect(String(ended[0])).toContain('the namespace a is no longer served')
    const widgets = client.resourceOf('example.com/v1', 'Widget')
    await widgets.delete({ name: 'one', namespace: 'a' })
    await running.idle()
    expect((await widgets.get({ name: 'one', namespace: 'a' })).metadata.finalizers).toHaveLength(1)
    expect(cleaned).toBe(0)
    await label('a', { team: 'x' })
    await eventually(async () => (await widgets.find({ name: 'one', namespace: 'a' })) === undefined)
    expect(cleaned).toBe(1)
  })
})
