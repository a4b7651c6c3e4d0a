import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { INVENTORY } from '../resources/inventory.ts'
import type { ChildBody, KnownObject } from './child.ts'
import { operator } from './operator.ts'
import { conditionsOf, openShop } from './shop.fixture.ts'

const spec = z.object({
  image: z.string().default('web:1'),
  replicas: z.int().min(0).default(1),
  pages: z.array(z.string()).default([]),
})
const status = z.object({ url: z.string(), ready: z.number().optional() })

const deployment = (
  name: string,
  image: string,
  replicas: number,
): ChildBody<KnownObject<'apps/v1', 'Deployment'>> => ({
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
  },
})

const site = operator('ex.io/v1/Site', { spec, status }, ({ name, spec, child }) => {
  const web = child('apps/v1', 'Deployment', deployment(name, spec.image, spec.replicas))
  const pages = spec.pages.map((page) => child('v1', 'ConfigMap', { data: { page } }, { name: `${name}-${page}` }))
  return {
    children: [web, ...pages],
    status: { url: `https://${name}`, ready: Number(web.observed?.status?.readyReplicas ?? 0) },
  }
})

const home = (fields: object = {}) => ({
  apiVersion: 'ex.io/v1',
  kind: 'Site',
  metadata: { name: 'home', namespace: 'default' },
  spec: fields,
})

const available = (replicas: number) => ({
  observedGeneration: 10,
  replicas,
  updatedReplicas: replicas,
  readyReplicas: replicas,
  availableReplicas: replicas,
})

describe('children', () => {
  it('are made with an owner reference, a name and a namespace, and reported one by one', async () => {
    await using shop = await openShop(site)
    const running = await shop.operate(site)
    const { metadata } = await shop.apply(home({ pages: ['a'] }))
    const web = await eventually(() => shop.find('apps/v1', 'Deployment', 'home'))
    expect(web.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'ex.io/v1',
        kind: 'Site',
        name: 'home',
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
    await running.settledWrites()
    const object = await shop.find('ex.io/v1', 'Site', 'home')
    expect(conditionsOf(object)).toEqual({
      Accepted: 'True Accepted',
      Deployment: 'False Progressing',
      'ConfigMap-home-a': 'True Ready',
      Ready: 'False Progressing',
    })
    expect(object?.status).toMatchObject({ url: 'https://home', ready: 0, observedGeneration: 1 })
  })

  it('make the parent ready when they are, with an event for each change', async () => {
    await using shop = await openShop(site)
    const events: string[] = []
    const sink = {
      record: (_: object, { reason }: { reason: string }) => void events.push(reason),
      close: async () => {},
    }
    const running = await shop.operate(site, { events: sink })
    await shop.apply(home())
    await eventually(() => shop.find('apps/v1', 'Deployment', 'home'))
    await shop.patchStatus('apps/v1', 'Deployment', 'home', available(1))
    const ready = await eventually(async () => {
      const object = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(object).Ready === 'True Ready' && object
    })
    expect(ready.status).toMatchObject({ ready: 1 })
    await running.idle()
    expect(events).toEqual(['Progressing', 'Ready'])
    await shop.patchStatus('apps/v1', 'Deployment', 'home', available(0))
    await eventually(
      async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready === 'False Progressing',
    )
    await running.idle()
    expect(events).toEqual(['Progressing', 'Ready', 'Progressing'])
  })

  it('are written once: nothing is sent by a second run, nor after a restart', async () => {
    await using shop = await openShop(site)
    const first = await shop.operate(site)
    await shop.apply(home({ pages: ['a', 'b'] }))
    await eventually(async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready)
    expect(await first.settledWrites()).toEqual([
      'PATCH /apis/apps/v1/namespaces/default/deployments/home',
      'PATCH /api/v1/namespaces/default/configmaps/home-a',
      'PATCH /api/v1/namespaces/default/configmaps/home-b',
      'PATCH /apis/ex.io/v1/namespaces/default/sites/home/status',
    ])
    first.queue({ apiVersion: 'ex.io/v1', kind: 'Site', name: 'home', namespace: 'default' }, 'again')
    expect(await first.settledWrites()).toEqual([])
    await first.close()
    const second = await shop.operate(site)
    await second.idle()
    expect(await second.settledWrites()).toEqual([])
    expect(second.why({ apiVersion: 'ex.io/v1', kind: 'Site', name: 'home', namespace: 'default' })).toHaveLength(1)
  })

  it('are removed when they are no longer wanted, also after a restart with other code', async () => {
    await using shop = await openShop(site)
    const first = await shop.operate(site)
    await shop.apply(home({ pages: ['a', 'b'] }))
    await eventually(() => shop.find('v1', 'ConfigMap', 'home-b'))
    await shop.apply(home({ pages: ['a'] }))
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'home-b')))
    await first.settledWrites()
    expect(conditionsOf(await shop.find('ex.io/v1', 'Site', 'home'))).not.toHaveProperty('ConfigMap-home-b')
    await first.close()
    const other = operator('ex.io/v1/Site', { spec, status }, ({ child }) => [
      child('v1', 'Service', { spec: { ports: [{ port: 80 }] } }),
    ])
    await shop.operate(other)
    await eventually(async () => !(await shop.find('apps/v1', 'Deployment', 'home')))
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'home-a')))
    const object = await eventually(async () => {
      const found = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(found).Ready === 'True Ready' && found
    })
    expect(object.status?.[INVENTORY]).toEqual([
      { apiVersion: 'v1', kind: 'Service', name: 'home', namespace: 'default' },
    ])
    expect(Object.keys(conditionsOf(object)).sort()).toEqual(['Accepted', 'Ready', 'Service'])
    expect(object.status?.url).toBeUndefined()
  })

  it('that somebody changed are restored', async () => {
    await using shop = await openShop(site)
    await shop.operate(site)
    await shop.apply(home({ pages: ['a'] }))
    await eventually(() => shop.find('v1', 'ConfigMap', 'home-a'))
    await shop.patch('v1', 'ConfigMap', 'home-a', { data: { page: 'broken', extra: 'kept' } })
    const restored = await eventually(async () => {
      const found = await shop.find('v1', 'ConfigMap', 'home-a')
      return found?.data?.page === 'a' && found
    })
    expect(restored.data).toEqual({ page: 'a', extra: 'kept' })
    await shop.remove('v1', 'ConfigMap', 'home-a')
    await eventually(() => shop.find('v1', 'ConfigMap', 'home-a'))
  })

  it('go with their parent', async () => {
    await using shop = await openShop(site)
    await shop.operate(site)
    await shop.apply(home({ pages: ['a'] }))
    await eventually(() => shop.find('v1', 'ConfigMap', 'home-a'))
    await shop.remove('ex.io/v1', 'Site', 'home')
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'home-a')))
    expect(await shop.find('ex.io/v1', 'Site', 'home')).toBeUndefined()
  })

  it('of many are one condition, and many may not go at once', async () => {
    await using shop = await openShop(site)
    const running = await shop.operate(site)
    const pages = Array.from({ length: 20 }, (_, at) => `p${at}`)
    await shop.apply(home({ pages }))
    await eventually(async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).ConfigMap === 'True Ready')
    await shop.apply(home({ pages: pages.slice(0, 3) }))
    const blocked = await eventually(async () => {
      const found = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(found).PruneBlocked === 'True TooMany' && found
    })
    expect(blocked.status?.[INVENTORY]).toHaveLength(21)
    expect((await shop.client.resource('v1', 'ConfigMap').list({ namespace: 'default' })).items.length).toBeGreaterThan(
      19,
    )
    await shop.patch('ex.io/v1', 'Site', 'home', { metadata: { annotations: { 'homeostat.dev/allow-prune': 'true' } } })
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'home-p19')))
    await running.settledWrites()
    const after = await shop.find('ex.io/v1', 'Site', 'home')
    expect(after?.status?.[INVENTORY]).toHaveLength(4)
    expect(conditionsOf(after)).not.toHaveProperty('PruneBlocked')
  })
})
