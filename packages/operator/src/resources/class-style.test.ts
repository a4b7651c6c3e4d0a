import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Cluster } from '../runtime/cluster.ts'
import { terminal, waiting } from '../runtime/outcome.ts'
import { TestClock } from '../testing/test-clock.ts'
import { conditionOf, eventually, GROUP, stage } from './class-style.fixture.ts'
import { CustomResource } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceReference } from './resource-reference.ts'
import { ResourceService } from './resource-service.ts'
import { type Services, servicesOf } from './services.ts'
import type { SubresourceResult } from './subresources.ts'

const spec = z.object({
  text: z.string().default('hello'),
  upper: z
    .string()
    .transform((text) => text.toUpperCase())
    .optional(),
  size: z.number().default(1),
})

/** Made anew for each test, so that tests share nothing. */
function siteKind(reconcile: (site: Site) => Promise<unknown>, more: Partial<SiteOptions> = {}) {
  return createCustomResourceDefinition({
    group: GROUP,
    version: 'v1',
    kind: 'Site',
    spec,
    create: (options) => {
      const site = new Site(options)
      site.work = () => reconcile(site)
      if (more.cleanup) site.cleanup = () => more.cleanup?.(site) ?? Promise.resolve()
      if (more.setup) site.setup = () => more.setup?.(site) ?? Promise.resolve()
      more.created?.(site)
      return site
    },
  })
}

interface SiteOptions {
  cleanup(site: Site): Promise<void>
  setup(site: Site): Promise<void>
  created(site: Site): void
}

class Site extends CustomResource<typeof spec> {
  readonly config = new ResourceReference()
  work: () => Promise<unknown> = async () => {}

  constructor(...options: ConstructorParameters<typeof CustomResource<typeof spec>>) {
    super(...options)
    const { name, namespace } = this
    const resources = this.services.get(ResourceService)
    this.config.current = resources.get({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace })
    this.config.on('changed', this.queueReconcile)
  }

  async reconcile() {
    await this.work()
  }

  get manifest() {
    const { name, namespace, ref, spec } = this
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, ownerReferences: [ref] },
      data: { text: spec.text },
    }
  }
}

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
    const cause = running.why({ apiVersion: 'class.test/v1', kind: 'Site', name: 'a', namespace: 'default' })
    expect(cause.map(({ text }) => text)).toContain('ConfigMap default/a changed')
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

describe('the parts of a custom resource', () => {
  it('have conditions; one that throws stops no other and is tried again until it works', async () => {
    let failures = 3
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('Broken', async () => {
        if (failures-- > 0) throw new Error('boom')
        return { ready: true }
      })
      await site.reconcileSubresource('Config', async () => {
        await site.config.current?.patch(site.manifest)
        return { ready: true, message: 'it is there' }
      })
    })
    const { operate, create, find, untilCondition } = await stage()
    await operate([kind], { backoff: { min: 100, max: 100 } })
    await create('Site', 'a')
    const failed = await untilCondition('Site', 'a', 'Broken', 'False Failed')
    expect(failed.status?.conditions?.find(({ type }) => type === 'Broken')?.message).toBe('boom')
    expect(await find('ConfigMap', 'a')).toBeDefined()
    expect(conditionOf(failed, 'Config')).toBe('True Ready')
    await untilCondition('Site', 'a', 'Ready', 'True Ready')
    expect(conditionOf(await find('Site', 'a'), 'Broken')).toBe('True Ready')
  })

  it('are tried again after a delay that grows', async () => {
    let runs = 0
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('Broken', async () => {
        runs++
        throw new Error('boom')
      })
    })
    const clock = new TestClock({ frozen: true })
    const { operate, create } = await stage()
    const { running } = await operate([kind], { clock, random: () => 0.5, backoff: { min: 1000, max: 60_000 } })
    await create('Site', 'a')
    await eventually(() => runs === 1)
    const delays: number[] = []
    for (const wanted of [2, 3, 4]) {
      await running.idle()
      let delay = 0
      for (; runs < wanted; delay += 100) {
        clock.advance(100)
        await running.idle()
      }
      delays.push(delay)
    }
    const [first = 0, second = 0, third = 0] = delays
    expect(second).toBeGreaterThan(first)
    expect(third).toBeGreaterThan(second)
  })

  it('are retried, too, when one says that it failed', async () => {
    let runs = 0
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('App', async (): Promise<SubresourceResult> => {
        runs++
        return runs < 4 ? { ready: false, failed: true, reason: 'MissingDependency' } : { ready: true }
      })
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'a')
    await untilCondition('Site', 'a', 'Ready', 'True Ready')
    expect(runs).toBe(4)
  })

  it('make Ready together, unless the author sets it', async () => {
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('One', async () => ({ ready: true }))
      await site.reconcileSubresource('Two', async () => ({ ready: false, reason: 'Slow', message: 'it takes time' }))
      if (site.spec.text === 'own') await site.conditions.set('Ready', { status: 'True', reason: 'MyWord' })
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'together')
    const site = await untilCondition('Site', 'together', 'Ready', 'False Slow')
    expect(site.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe('Two: it takes time')
    await create('Site', 'own', { text: 'own' })
    await untilCondition('Site', 'own', 'Ready', 'True MyWord')
  })

  it('may wait, which is no failure, or give up, which is no retry', async () => {
    let runs = 0
    const kind = siteKind(async (site) => {
      runs++
      await site.reconcileSubresource('Part', async () => {
        if (site.spec.text === 'wait') throw waiting('NotYet', 'the other is not there')
        throw terminal(new Error('impossible'), 'Impossible')
      })
    })
    const { operate, create, untilCondition } = await stage()
    const { running } = await operate([kind])
    await create('Site', 'a', { text: 'wait' })
    await untilCondition('Site', 'a', 'Part', 'False NotYet')
    await create('Site', 'b', { text: 'stop' })
    await untilCondition('Site', 'b', 'Ready', 'False Impossible')
    await running.idle()
    expect(runs).toBe(2)
  })
})

describe('the life of an instance', () => {
  it('is one per object: set up once, dropped with all its listeners, made anew for a new object of the name', async () => {
    const built: string[] = []
    let setUps = 0
    let runs = 0
    const kind = siteKind(
      async () => {
        runs++
      },
      {
        created: (site) => built.push(site.metadata.uid),
        setup: async () => {
          setUps++
          if (setUps === 1) throw new Error('not yet')
        },
      },
    )
    const { operate, create, find, merge, delete: remove } = await stage()
    const { running } = await operate([kind])
    const resources = servicesOf(await running.cluster).get(ResourceService)
    await create('Site', 'a')
    await eventually(() => runs > 0)
    await merge('Site', 'a', { metadata: { labels: { a: 'b' } } })
    await eventually(() => runs > 1)
    expect([built.length, setUps]).toEqual([1, 2])
    expect(resources.size.listened).toBe(1)
    await remove('Site', 'a')
    await eventually(() => resources.size.listened === 0)
    await create('Site', 'a')
    await eventually(() => built.length === 2)
    expect(new Set(built).size).toBe(2)
    await remove('Site', 'a')
    await eventually(async () => (await find('Site', 'a')) === undefined && resources.size.listened === 0)
  })

  it('ends with its cleanup, which a finalizer waits for', async () => {
    const cleaned: string[] = []
    let failures = 2
    const kind = siteKind(async () => {}, {
      cleanup: async (site) => {
        if (failures-- > 0) throw new Error('the other system is down')
        cleaned.push(site.spec.text)
      },
    })
    const { operate, create, find, delete: remove } = await stage()
    await operate([kind])
    await create('Site', 'a', { text: 'bye' })
    await eventually(async () => (await find('Site', 'a'))?.metadata.finalizers?.length === 1)
    await remove('Site', 'a')
    await eventually(async () => (await find('Site', 'a')) === undefined)
    expect(cleaned).toEqual(['bye'])
  })

  it('has no finalizer without a cleanup', async () => {
    let runs = 0
    const kind = siteKind(async () => {
      runs++
    })
    const { operate, create, find } = await stage()
    await operate([kind])
    await create('Site', 'a')
    await eventually(() => runs > 0)
    expect((await find('Site', 'a'))?.metadata.finalizers).toBeUndefined()
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
