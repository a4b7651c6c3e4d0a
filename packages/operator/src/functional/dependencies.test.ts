import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { INVENTORY } from '../resources/inventory.ts'
import { operator } from './operator.ts'
import { conditionsOf, openShop, type Shop } from './shop.fixture.ts'
import { watches } from './watches.ts'

const none = z.object({})
const site = operator(
  'ex.io/v1/Site',
  { spec: z.object({ host: z.string().default('example.com') }), status: z.object({ url: z.string() }) },
  ({ spec }) => ({
    status: { url: `https://${spec.host}` },
  }),
)

const object = (kind: string, name: string, spec: object = {}, namespace: string | undefined = 'default') => ({
  apiVersion: 'ex.io/v1',
  kind,
  metadata: namespace === '' ? { name } : { name, namespace },
  spec,
})

const messageOf = async (shop: Shop, kind: string, type = 'Ready') => {
  const found = await shop.find('ex.io/v1', kind, 'a')
  const condition = found?.status?.conditions?.find((one) => one.type === type)
  return condition && `${condition.reason}: ${condition.message}`
}

describe('needs', () => {
  const seen: string[] = []
  const db = operator('ex.io/v1/Db', { spec: z.object({ site: z.string() }) }, async (c) => {
    const needed = await c.needs(site, c.spec.site)
    const url: string | undefined = needed.status.url
    seen.push(`${needed.spec.host} ${url}`)
  })

  it('waits for what is missing, then for what is not ready, and goes on by itself', async () => {
    await using shop = await openShop(db, site)
    await shop.operate(db)
    await shop.apply(object('Db', 'a', { site: 'home' }))
    await eventually(async () => (await messageOf(shop, 'Db')) === 'MissingDependency: Site home does not exist')
    await shop.apply(object('Site', 'home'))
    await eventually(async () =>
      (await messageOf(shop, 'Db'))?.startsWith('WaitingForDependency: Site home is not ready'),
    )
    expect(seen).toEqual([])
    await shop.operate(site, { name: 'sites' })
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('Reconciled'))
    expect(seen).toEqual(['example.com https://example.com'])
  })

  it('takes kinds by name, and a readiness of its own', async () => {
    const kind = operator('ex.io/v1/Db', { spec: none }, async ({ needs }) => {
      const settings = await needs('v1', 'ConfigMap', 'settings', { readyWhen: ({ data }) => data?.on === 'yes' })
      return { status: { mode: settings.data?.mode } }
    })
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(object('Db', 'a'))
    await eventually(
      async () => (await messageOf(shop, 'Db')) === 'MissingDependency: ConfigMap settings does not exist',
    )
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } }
    await shop.apply({ ...settings, data: { mode: 'fast' } })
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('WaitingForDependency'))
    await shop.apply({ ...settings, data: { mode: 'fast', on: 'yes' } })
    await eventually(async () => (await shop.find('ex.io/v1', 'Db', 'a'))?.status?.mode === 'fast')
  })

  it('waits for a kind that nobody serves yet', async () => {
    await using shop = await openShop(db)
    await shop.operate(db)
    await shop.apply(object('Db', 'a', { site: 'home' }))
    await eventually(async () => (await messageOf(shop, 'Db')) === 'MissingDependency: Site home does not exist')
  })
})

describe('secrets', () => {
  let made = 0
  const schema = z.object({ password: z.string(), user: z.string().default('admin') })
  const db = operator(
    'ex.io/v1/Db',
    { spec: none, status: z.object({ user: z.string(), digest: z.string() }) },
    async (c) => {
      const creds = await c.secret(`${c.name}-creds`, schema, () => ({ password: `p${++made}` }))
      const user: string = creds.value.user
      return { children: [creds], status: { user, digest: creds.digest } }
    },
  )

  it('are made once, belong to the parent, and stay the same over restarts', async () => {
    await using shop = await openShop(db)
    const first = await shop.operate(db)
    await shop.apply(object('Db', 'a'))
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('Ready'))
    const secret = await shop.find('v1', 'Secret', 'a-creds')
    expect(secret?.metadata.ownerReferences).toMatchObject([{ kind: 'Db', name: 'a', controller: true }])
    expect(atob(String(secret?.data?.password))).toBe('p1')
    expect(conditionsOf(await shop.find('ex.io/v1', 'Db', 'a'))['Secret-a-creds']).toBe('True Ready')
    await first.close()
    const second = await shop.operate(db)
    expect(await second.settledWrites()).toEqual([])
    expect((await shop.find('v1', 'Secret', 'a-creds'))?.data).toEqual(secret?.data)
    expect(made).toBe(1)
  })

  it('go when they are no longer asked for', async () => {
    await using shop = await openShop(db)
    const first = await shop.operate(db)
    await shop.apply(object('Db', 'a'))
    await eventually(() => shop.find('v1', 'Secret', 'a-creds'))
    await first.idle()
    await first.close()
    await shop.operate(operator('ex.io/v1/Db', { spec: none }, () => []))
    await eventually(async () => !(await shop.find('v1', 'Secret', 'a-creds')))
  })

  it('that somebody else made are used and never removed', async () => {
    await using shop = await openShop(db)
    const metadata = { name: 'a-creds', namespace: 'default' }
    await shop.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data: { password: btoa('theirs'), user: btoa('bob') },
    })
    const first = await shop.operate(db)
    await shop.apply(object('Db', 'a'))
    await eventually(async () => (await shop.find('ex.io/v1', 'Db', 'a'))?.status?.user === 'bob')
    await first.close()
    const second = await shop.operate(operator('ex.io/v1/Db', { spec: none }, () => []))
    await eventually(async () => (await shop.find('ex.io/v1', 'Db', 'a'))?.status?.[INVENTORY] === undefined)
    await second.idle()
    expect(await shop.find('v1', 'Secret', 'a-creds')).toBeDefined()
  })
})

describe('order', () => {
  it('a child made from what the server answered comes after it', async () => {
    const kind = operator('ex.io/v1/Db', { spec: none }, async ({ child }) => {
      const service = child('v1', 'Service', { spec: { ports: [{ port: 80 }] } })
      const { spec } = await service.applied()
      return [service, child('v1', 'ConfigMap', { data: { address: String(spec?.clusterIP) } })]
    })
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    await shop.apply(object('Db', 'a'))
    const config = await eventually(() => shop.find('v1', 'ConfigMap', 'a'))
    expect(config.data?.address).toBe((await shop.find('v1', 'Service', 'a'))?.spec?.clusterIP)
    expect((await running.settledWrites()).slice(0, 2).map((write) => write.split('/').at(-2))).toEqual([
      'services',
      'configmaps',
    ])
  })

  it('a child that comes after another is made when that is ready', async () => {
    const kind = operator('ex.io/v1/Db', { spec: none }, ({ child }) => {
      const first = child(
        'v1',
        'ConfigMap',
        { data: {} },
        { name: 'first', readyWhen: ({ data }) => data?.done === 'yes' },
      )
      return [child('v1', 'ConfigMap', { data: {} }, { name: 'second', after: [first] })]
    })
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    await shop.apply(object('Db', 'a'))
    await eventually(() => shop.find('v1', 'ConfigMap', 'first'))
    await running.idle()
    expect(await shop.find('v1', 'ConfigMap', 'second')).toBeUndefined()
    expect(conditionsOf(await shop.find('ex.io/v1', 'Db', 'a'))).toMatchObject({
      'ConfigMap-first': 'False NotReady',
      'ConfigMap-second': 'False WaitingForChild',
    })
    await shop.patch('v1', 'ConfigMap', 'first', { data: { done: 'yes' } })
    await eventually(() => shop.find('v1', 'ConfigMap', 'second'))
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('Ready'))
  })

  it('a child of a kind that nobody serves is waited for', async () => {
    const kind = operator('ex.io/v1/Db', { spec: none }, ({ child }) => [
      child('ex.io/v1', 'Site', { spec: { host: 'x' } }),
      child('v1', 'ConfigMap', { data: {} }),
    ])
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(object('Db', 'a'))
    await eventually(() => shop.find('v1', 'ConfigMap', 'a'))
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('KindNotServed'))
  })
})

describe('children of other namespaces', () => {
  const kind = operator('ex.io/v1/Db', { spec: z.object({ also: z.string().optional() }) }, ({ name, spec, child }) => [
    child('v1', 'ConfigMap', { data: { here: 'yes' } }),
    spec.also !== undefined && child('v1', 'ConfigMap', { data: { there: 'yes' } }, { namespace: spec.also }),
    spec.also !== undefined &&
      child('rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: [] }, { name: `${name}-role` }),
  ])
  const also = { also: 'kube-public' }

  it('have a label instead of an owner, are on record before they exist, and go with the parent', async () => {
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    const { metadata } = await shop.apply(object('Db', 'a', also))
    const there = await eventually(() => shop.find('v1', 'ConfigMap', 'a', 'kube-public'))
    expect(there.metadata.ownerReferences).toBeUndefined()
    expect(there.metadata.labels).toEqual({ 'homeostat.dev/owner-uid': metadata.uid })
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('Ready'))
    const writes = await running.settledWrites()
    const recorded = writes.findIndex((write) => write.endsWith('/dbs/a/status'))
    expect(recorded).toBeGreaterThanOrEqual(0)
    expect(recorded).toBeLessThan(writes.findIndex((write) => write.includes('kube-public')))
    const parent = await shop.find('ex.io/v1', 'Db', 'a')
    expect(parent?.metadata.finalizers).toEqual(['ex.io/finalizer'])
    expect(Object.keys(conditionsOf(parent)).sort()).toEqual([
      'Accepted',
      'ClusterRole-a-role',
      'ConfigMap',
      'ConfigMap-kube-public.a',
      'Ready',
    ])
    await shop.remove('ex.io/v1', 'Db', 'a')
    await eventually(async () => !(await shop.find('ex.io/v1', 'Db', 'a')))
    expect(await shop.find('v1', 'ConfigMap', 'a', 'kube-public')).toBeUndefined()
    expect(await shop.find('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a-role')).toBeUndefined()
  })

  it('go when they are no longer wanted', async () => {
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(object('Db', 'a', also))
    await eventually(() => shop.find('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a-role'))
    await shop.apply(object('Db', 'a'))
    await eventually(async () => !(await shop.find('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a-role')))
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'a', 'kube-public')))
    expect(await shop.find('v1', 'ConfigMap', 'a')).toBeDefined()
  })

  it('of a parent without a namespace have an owner', async () => {
    const fleet = operator('ex.io/v1/Fleet', { spec: none, scope: 'Cluster' }, ({ name, child }) => [
      child('v1', 'ConfigMap', { data: { name } }, { namespace: 'default' }),
    ])
    await using shop = await openShop(fleet)
    await shop.operate(fleet)
    await shop.apply(object('Fleet', 'a', {}, ''))
    const config = await eventually(() => shop.find('v1', 'ConfigMap', 'a'))
    expect(config.metadata.ownerReferences).toMatchObject([{ kind: 'Fleet', name: 'a' }])
    await shop.remove('ex.io/v1', 'Fleet', 'a')
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'a')))
  })
})

describe('the end of an object', () => {
  it('waits for the finalizer, which is tried until it succeeds', async () => {
    const dropped: string[] = []
    const kind = operator('ex.io/v1/Db', { spec: z.object({ size: z.number().default(3) }) }, () => {}, {
      finalize({ name, spec }) {
        dropped.push(`${name} ${spec.size}`)
        if (dropped.length < 3) throw new Error('not yet')
      },
    })
    await using shop = await openShop(kind)
    await shop.operate(kind, { backoff: { min: '1ms', max: '2ms' } })
    await shop.apply(object('Db', 'a'))
    await eventually(async () => (await shop.find('ex.io/v1', 'Db', 'a'))?.metadata.finalizers?.length === 1)
    await shop.remove('ex.io/v1', 'Db', 'a')
    await eventually(async () => !(await shop.find('ex.io/v1', 'Db', 'a')))
    expect(dropped).toEqual(['a 3', 'a 3', 'a 3'])
  })

  it('does not need a valid spec unless the finalizer does', async () => {
    const even = z.object({ size: z.number().refine((size) => size % 2 === 0) })
    const dropped: string[] = []
    const kind = operator('ex.io/v1/Db', { spec: even }, () => {}, { finalize: (c) => void dropped.push(c.name) })
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(object('Db', 'a', { size: 2 }))
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('Reconciled'))
    await shop.apply(object('Db', 'a', { size: 3 }))
    await eventually(async () => (await messageOf(shop, 'Db'))?.startsWith('InvalidSpec'))
    await shop.remove('ex.io/v1', 'Db', 'a')
    await eventually(async () => !(await shop.find('ex.io/v1', 'Db', 'a')))
    expect(dropped).toEqual(['a'])
  })
})

describe('what is read', () => {
  const config = (name: string, data: Record<string, string>, labels: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels },
    data,
  })

  it('brings the next run when it changes: get and list', async () => {
    const kind = operator('ex.io/v1/Db', { spec: none }, async ({ get, list }) => {
      const settings = await get('v1', 'ConfigMap', 'settings')
      const all = await list('v1', 'ConfigMap', { labels: { app: 'x' } })
      return { status: { mode: settings?.data?.mode ?? 'none', count: all.length } }
    })
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(object('Db', 'a'))
    const statusIs = (mode: string, count: number) =>
      eventually(async () => {
        const { status } = (await shop.find('ex.io/v1', 'Db', 'a')) ?? {}
        return status?.mode === mode && status?.count === count
      })
    await statusIs('none', 0)
    await shop.apply(config('settings', { mode: 'fast' }))
    await statusIs('fast', 0)
    await shop.apply(config('one', {}, { app: 'x' }))
    await statusIs('fast', 1)
    await shop.remove('v1', 'ConfigMap', 'one')
    await statusIs('fast', 0)
  })

  it('can be what a run cannot read: watches', async () => {
    let runs = 0
    const rule = watches('v1', 'ConfigMap', ({ data }) =>
      data?.db === undefined ? [] : [{ name: data.db, namespace: 'default' }],
    )
    const kind = operator('ex.io/v1/Db', { spec: none, watches: [rule] }, ({ requeueAfter }) => {
      runs++
      requeueAfter('1h')
    })
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    await shop.apply(object('Db', 'a'))
    await eventually(() => runs === 1)
    await running.idle()
    await shop.apply(config('poke', { db: 'a' }))
    await eventually(() => runs === 2)
  })
})
