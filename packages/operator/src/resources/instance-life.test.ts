import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { GROUP, stage } from './class-style.fixture.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceReference } from './resource-reference.ts'
import { ResourceService } from './resource-service.ts'
import { servicesOf } from './services.ts'
import { Site, siteKind, spec } from './site.fixture.ts'

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

  it('is cleaned up by the next process when the object went while none was running', async () => {
    const cleaned: string[] = []
    const kind = siteKind(async () => {}, { cleanup: async ({ spec }) => void cleaned.push(spec.text) })
    const { operate, create, find, merge, delete: remove } = await stage()
    const { running } = await operate([kind])
    await create('Site', 'a')
    await eventually(async () => (await find('Site', 'a'))?.metadata.finalizers?.length === 1)
    await running.close()
    await merge('Site', 'a', { spec: { text: 'late' } })
    await remove('Site', 'a')
    expect((await find('Site', 'a'))?.metadata.deletionTimestamp).toBeDefined()
    await operate([kind])
    await eventually(async () => (await find('Site', 'a')) === undefined)
    expect(cleaned).toEqual(['late'])
  })

  it('knows that its object is there, also when the operator looks at a selection alone', async () => {
    const seen: unknown[] = []
    const selected = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Site',
      spec,
      select: { labelSelector: 'ours=yes' },
      create: (options) => {
        const site = new Site(options)
        site.work = async () => seen.push([site.name, site.exists, site.metadata.labels])
        return site
      },
    })
    const { operate, create, merge } = await stage([selected])
    await create('Site', 'theirs')
    await create('Site', 'ours')
    await merge('Site', 'ours', { metadata: { labels: { ours: 'yes' } } })
    const { running } = await operate([selected])
    await eventually(() => seen.length > 0)
    await running.idle()
    expect(seen[0]).toEqual(['ours', true, { ours: 'yes' }])
    expect(seen.flat()).not.toContain('theirs')
  })

  it('may make references in a run, as many as are reasonable', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => warnings.push(message) }
    const kind = siteKind(async (site) => {
      const resources = site.services.get(ResourceService)
      const { namespace } = site
      for (let count = 0; count < 1001; count++) {
        const handle = resources.get({ apiVersion: 'v1', kind: 'ConfigMap', name: `a-${count}`, namespace })
        new ResourceReference(handle).on('changed', site.queueReconcile)
      }
    })
    const { operate, create, delete: remove } = await stage()
    const { running } = await operate([kind], { log })
    const resources = servicesOf(await running.cluster).get(ResourceService)
    await create('Site', 'a')
    await eventually(() => resources.size.listened === 1000)
    await running.idle()
    expect(warnings[0]).toMatch(/^more than 1000 references with listeners/)
    await remove('Site', 'a')
    await eventually(() => resources.size.listened === 0)
  })

  it('leaves nothing behind, however many come and go', async () => {
    const kind = siteKind(async (site) => {
      await site.config.current?.patch(site.manifest)
    })
    const { operate, client, create, find } = await stage()
    const { running } = await operate([kind])
    const resources = servicesOf(await running.cluster).get(ResourceService)
    const sites = client.resourceOf(`${GROUP}/v1`, 'Site')
    for (let round = 0; round < 3; round++) {
      const names = Array.from({ length: 20 }, (_, index) => `site-${index}`)
      await Promise.all(names.map((name) => create('Site', name)))
      await eventually(() => resources.size.listened === names.length)
      await sites.deleteAll({ namespace: 'default' })
      await eventually(() => resources.size.listened === 0)
    }
    await eventually(async () => (await find('ConfigMap', 'site-0')) === undefined)
    await eventually(() => Object.values(running.sizes()).every((size) => size === 0))
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

  it('does not begin for a class whose cleanup is misspelt', async () => {
    class Untidy extends Site {
      // @ts-expect-error as in a program in JavaScript
      async cleanUp() {}
    }
    const kind = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Site',
      spec,
      create: (options) => new Untidy(options) as unknown as Site,
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'a')
    const site = await untilCondition('Site', 'a', 'Ready', 'False WrongMethod')
    expect(site.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
      'the class has a method cleanUp(), which nobody calls: write cleanup()',
    )
  })
})
