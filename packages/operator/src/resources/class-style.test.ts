import { eventually } from '@homeostat/base/testing/eventually'
import type { ObjectOf } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../runtime/cluster.ts'
import { conditionOf, GROUP, stage } from './class-style.fixture.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceReference } from './resource-reference.ts'
import { ResourceService } from './resource-service.ts'
import { type Services, servicesOf } from './services.ts'
import { Site, siteKind, spec } from './site.fixture.ts'

describe('a custom resource', () => {
  it('has the parsed spec, its metadata and its owner reference, and writes nothing when all is well', async () => {
    const seen: unknown[] = []
    const kind = siteKind(async (site) => {
      seen.push([site.name, site.namespace, site.spec.upper, site.exists, site.apiVersion, site.kind])
      await site.config.current?.patch(site.manifest)
    })
    const { operate, create, find } = await stage()
    const { running, writes } = await operate([kind])
    const site = await create('Site', 'a', { upper: 'shout' })
    const config = await eventually(() => find('ConfigMap', 'a'))
    expect(seen[0]).toEqual(['a', 'default', 'SHOUT', true, 'class.test/v1', 'Site'])
    expect(config.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'class.test/v1',
        kind: 'Site',
        name: 'a',
        uid: site.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
    await running.idle()
    await eventually(async () => conditionOf(await find('Site', 'a'), 'Ready') === 'True Reconciled')
    await running.idle()
    writes.length = 0
    running.queue({ apiVersion: 'class.test/v1', kind: 'Site', name: 'a', namespace: 'default' }, 'test')
    const before = running.runs
    await eventually(() => running.runs > before)
    await running.idle()
    expect(writes).toEqual([])
  })

  it('parses a spec once per generation', async () => {
    const specs = new Set<unknown>()
    let runs = 0
    const kind = siteKind(async (site) => {
      specs.add(site.spec)
      runs++
    })
    const { operate, create, merge } = await stage()
    await operate([kind])
    await create('Site', 'a')
    await eventually(() => runs > 0)
    const before = runs
    await merge('Site', 'a', { metadata: { labels: { a: 'b' } } })
    await eventually(() => runs > before)
    expect(specs.size).toBe(1)
    await merge('Site', 'a', { spec: { text: 'other' } })
    await eventually(() => specs.size === 2)
  })

  it('restores what somebody deletes or edits, since it listens to its reference', async () => {
    const kind = siteKind(async (site) => {
      if (!site.config.current?.matches(site.manifest)) await site.config.current?.patch(site.manifest)
    })
    const { operate, create, find, merge, delete: remove } = await stage()
    const { running } = await operate([kind])
    await create('Site', 'a')
    const first = await eventually(() => find('ConfigMap', 'a'))
    await remove('ConfigMap', 'a')
    await eventually(async () => {
      const uid = (await find('ConfigMap', 'a'))?.metadata.uid
      return uid !== undefined && uid !== first.metadata.uid
    })
    await merge('ConfigMap', 'a', { data: { text: 'edited' } })
    await eventually(async () => (await find('ConfigMap', 'a'))?.data?.text === 'hello')
    await running.idle()
    const trigger = running.why({ apiVersion: 'class.test/v1', kind: 'Site', name: 'a', namespace: 'default' })
    expect(trigger.map(({ text }) => text)).toContain('ConfigMap default/a changed')
  })

  it('says in its conditions what is wrong with its spec, and is not built before it is right', async () => {
    const built: string[] = []
    const strict = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Site',
      spec: spec.refine((given) => given.text !== 'bad', { path: ['text'], error: 'must not be bad' }),
      create: (options) => {
        built.push(options.spec.text)
        return new Site(options)
      },
    })
    const { operate, create, merge, untilCondition } = await stage()
    await operate([strict])
    await create('Site', 'a', { text: 'bad' })
    const refused = await untilCondition('Site', 'a', 'Accepted', 'False InvalidSpec')
    expect(refused.status?.conditions?.find(({ type }) => type === 'Accepted')?.message).toBe(
      'spec.text: must not be bad',
    )
    expect(built).toEqual([])
    await merge('Site', 'a', { spec: { text: 'good' } })
    await untilCondition('Site', 'a', 'Accepted', 'True Accepted')
    expect(built).toEqual(['good'])
  })
})

describe('outside of a run', () => {
  it('conditions and status can be read but not set, and the log says so', async () => {
    const lines: string[] = []
    const log = { debug() {}, info() {}, warn() {}, error: (_: object, message: string) => lines.push(message) }
    let site: Site | undefined
    const kind = siteKind(async (one) => {
      site = one
      await one.conditions.set('Seen', { status: 'True' })
    })
    const { operate, create, find, untilCondition } = await stage()
    const { running } = await operate([kind], { log })
    await create('Site', 'a')
    await untilCondition('Site', 'a', 'Seen', 'True Reconciled')
    await running.idle()
    await site?.conditions.set('Late', { status: 'True' })
    await site?.patchStatus({ late: true })
    await running.idle()
    expect(site?.conditions.get('Seen')?.status).toBe('True')
    expect((await find('Site', 'a'))?.status).not.toHaveProperty('late')
    expect(conditionOf(await find('Site', 'a'), 'Late')).toBeUndefined()
    expect(lines).toEqual([
      'conditions.set("Late") was called outside of a run and does nothing: call queueReconcile(), and do it in reconcile()',
      'patchStatus was called outside of a run and does nothing: call queueReconcile(), and do it in reconcile()',
    ])
  })
})

describe('services', () => {
  it('outlive the instance that asked for them first', async () => {
    let changes = 0
    class Watcher {
      readonly reference: ResourceReference<ObjectOf<'v1', 'ConfigMap'>>
      constructor(services: Services) {
        const place = { apiVersion: 'v1', kind: 'ConfigMap', name: 'shared', namespace: 'default' } as const
        this.reference = new ResourceReference(services.get(ResourceService).get(place))
        this.reference.on('changed', () => changes++)
      }
    }
    const kind = siteKind(async (site) => {
      site.services.get(Watcher)
    })
    const { operate, create, delete: remove } = await stage()
    const { running } = await operate([kind])
    const resources = servicesOf(await running.cluster).get(ResourceService)
    await create('Site', 'a')
    await eventually(() => resources.size.listened === 2)
    await remove('Site', 'a')
    await eventually(() => resources.size.listened === 1)
    await create('ConfigMap', 'shared')
    await eventually(() => changes === 1)
  })

  it('are made once per cluster, with the container', async () => {
    class Counter {
      readonly cluster: Cluster
      constructor(services: Services) {
        this.cluster = services.cluster
      }
    }
    const counters = new Set<Counter>()
    let runs = 0
    const kind = siteKind(async (site) => {
      counters.add(site.services.get(Counter))
      runs++
    })
    const { operate, create } = await stage()
    const { running } = await operate([kind])
    await create('Site', 'a')
    await create('Site', 'b')
    await eventually(() => runs >= 2)
    expect(counters.size).toBe(1)
    const cluster = await running.cluster
    expect([...counters][0]?.cluster).toBe(cluster)
    expect(servicesOf(cluster).log).toBe(cluster.log)
    expect(() => servicesOf(cluster).set(Counter, new Counter(servicesOf(cluster)))).toThrow('Counter is in use')
  })
})
