import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Log } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { KindName, ObjectOf } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { conditionOf, GROUP, stage } from './class-style.fixture.ts'
import { CustomResource } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceReference } from './resource-reference.ts'
import { ResourceService } from './resource-service.ts'
import type { KindOf } from './resource-types.ts'
import { servicesOf } from './services.ts'

const spec = z.object({ looksAt: z.string().optional() })

function kindOf(reconcile: (one: Looker) => Promise<void>) {
  return createCustomResourceDefinition({
    group: GROUP,
    version: 'v1',
    kind: 'Looker',
    spec,
    create: (options) => {
      const looker = new Looker(options)
      looker.work = reconcile
      return looker
    },
  })
}

class Looker extends CustomResource<typeof spec> {
  work: (one: Looker) => Promise<void> = async () => {}
  reconcile = () => this.work(this)

  handle<const A extends string, const K extends string>(apiVersion: A, kind: KindName<A, K>, name: string) {
    const place = { apiVersion, kind, name, namespace: this.namespace }
    return this.services.get(ResourceService).of<KindOf<A, K>>(place)
  }
}

const nothing = kindOf(async () => {})
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' } as const

async function resourcesOn(log?: Log) {
  const on = await stage()
  const { running } = await on.operate([nothing], log ? { log } : {})
  return { ...on, running, resources: servicesOf(await running.cluster).get(ResourceService) }
}

describe('a handle', () => {
  it('is the same for the same object, and knows whether that is there', async () => {
    const { resources, create, find } = await resourcesOn()
    const handle = resources.get({ ...configMap, name: 'a' })
    expect(resources.get({ ...configMap, name: 'a' })).toBe(handle)
    expect(await handle.load()).toBeUndefined()
    expect([handle.exists, handle.spec, handle.metadata]).toEqual([false, undefined, undefined])
    expect(() => handle.ref).toThrow('ConfigMap default/a is not there')
    await create('ConfigMap', 'a')
    await eventually(() => handle.exists)
    const uid = (await find('ConfigMap', 'a'))?.metadata.uid
    expect(handle.ref).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid })
  })

  it('applies, sees its own write at once, changes nothing twice, and deletes', async () => {
    const { resources, find } = await resourcesOn()
    const handle = resources.get({ ...configMap, name: 'a' })
    expect(await handle.patch({ data: { a: '1' } })).toEqual({ changed: true })
    expect([handle.exists, handle.data]).toEqual([true, { a: '1' }])
    expect(await handle.ensure({ data: { a: '1' } })).toEqual({ changed: false })
    expect([handle.matches({ data: { a: '1' } }), handle.matches({ data: { a: '2' } })]).toEqual([true, false])
    await handle.patch({ data: { b: '2' } })
    expect((await find('ConfigMap', 'a'))?.data).toEqual({ b: '2' })
    await handle.delete()
    expect([handle.exists, await find('ConfigMap', 'a')]).toEqual([false, undefined])
    await handle.delete()
  })

  it('shows of the spec what was applied, and of an object that others made all of it', async () => {
    const { resources, create } = await resourcesOn()
    const service = { apiVersion: 'v1', kind: 'Service', namespace: 'default' } as const
    const applied = resources.get({ ...service, name: 'ours' })
    const wanted = { selector: { app: 'x' }, ports: [{ port: 80, targetPort: 8080 }] }
    await applied.patch({ spec: wanted })
    expect(applied.spec).toEqual(wanted)
    expect(applied.live?.spec).toMatchObject({ type: 'ClusterIP' })
    await create('Service', 'theirs', wanted)
    const theirs = resources.get({ ...service, name: 'theirs' })
    await eventually(() => theirs.exists)
    expect(theirs.spec).toMatchObject({
      type: 'ClusterIP',
      ...wanted,
      ports: [{ ...wanted.ports[0], protocol: 'TCP' }],
    })
  })

  it('shows a value as it was sent, although the server writes it in another way', async () => {
    const { resources } = await resourcesOn()
    const handle = resources.get({ apiVersion: 'v1', kind: 'ResourceQuota', name: 'a', namespace: 'default' })
    const wanted = { hard: { cpu: '1000m', memory: '0.5Gi' } }
    await handle.patch({ spec: wanted })
    expect([handle.spec, handle.matches({ spec: wanted })]).toEqual([wanted, true])
  })

  it('refuses to write where its object cannot be', async () => {
    const { resources } = await resourcesOn()
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'a' } as const
    // @ts-expect-error a namespace for a kind that has none
    await expect(resources.get({ ...role, namespace: 'default' }).patch({ rules: [] })).rejects.toThrow('without one')
    await expect(resources.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }).patch({})).rejects.toThrow(
      'with one',
    )
    expect(await resources.get(role).patch({ rules: [] })).toEqual({ changed: true })
  })

  it('is dropped when nobody holds it', async () => {
    const { resources } = await resourcesOn()
    for (let count = 0; count < 100; count++) resources.get({ ...configMap, name: `a-${count}` })
    expect(resources.size.handles).toBeGreaterThanOrEqual(100)
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    await eventually(() => {
      collect()
      return resources.size.handles === 0
    })
  })
})

describe('a reference', () => {
  it('tells what changed, and moves along when it is pointed elsewhere', async () => {
    const { resources, create, merge, delete: remove } = await resourcesOn()
    const heard: string[] = []
    const reference = new ResourceReference(resources.get({ ...configMap, name: 'a' }))
    const events = ['updated', 'deleted', 'replaced', 'changedSpec', 'changedStatus', 'changedMetadata'] as const
    for (const event of events) reference.on(event, ({ name }) => heard.push(`${event} ${name}`))
    let changes = 0
    const count = () => changes++
    reference.on('changed', count)
    await reference.current?.load()
    await create('ConfigMap', 'a')
    await eventually(() => changes === 1)
    await merge('ConfigMap', 'a', { data: { a: '1' } })
    await eventually(() => changes === 2)
    await remove('ConfigMap', 'a')
    await eventually(() => changes === 3)
    expect(heard).toEqual(['changedMetadata a', 'updated a', 'changedSpec a', 'deleted a'])
    heard.length = 0
    reference.current = resources.get({ ...configMap, name: 'b' })
    expect([heard, changes, resources.size.listened]).toEqual([['replaced b'], 4, 1])
    await create('ConfigMap', 'a')
    await create('ConfigMap', 'b')
    await eventually(() => changes === 5)
    expect(heard).toEqual(['replaced b', 'changedMetadata b'])
    reference.off('changed', count)
    await merge('ConfigMap', 'b', { data: { a: '1' } })
    await eventually(() => heard.includes('changedSpec b'))
    expect(changes).toBe(5)
    reference.close()
    expect(resources.size.listened).toBe(0)
  })

  it('goes on after a listener that throws', async () => {
    const logged: unknown[] = []
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => logged.push(fields) }
    const { resources, create } = await resourcesOn(log)
    const reference = new ResourceReference(resources.get({ ...configMap, name: 'a' }))
    const heard: string[] = []
    reference.on('changed', () => {
      throw new Error('mine')
    })
    reference.on('changed', () => Promise.reject(new Error('later')))
    reference.on('changed', () => heard.push('heard'))
    await create('ConfigMap', 'a')
    await eventually(() => heard.length > 0 && logged.length === 2)
    expect(logged).toMatchObject([
      { error: new Error('mine'), object: 'ConfigMap default/a' },
      { error: new Error('later') },
    ])
  })

  it('can have a type', () => {
    const typed = new ResourceReference<ObjectOf<'v1', 'ConfigMap'>>()
    expect(typed.current).toBeUndefined()
  })
})

describe('what a run looks at through a handle', () => {
  it('brings the next run when it changes, without a listener', async () => {
    const seen: unknown[] = []
    const kind = kindOf(async (one) => {
      if (one.name === 'a') seen.push(one.handle('v1', 'ConfigMap', 'settings').data?.colour)
    })
    const { operate, create, merge, delete: remove } = await stage()
    await operate([kind])
    await create('Looker', 'a')
    await eventually(() => seen.length === 1)
    await create('ConfigMap', 'settings')
    await merge('ConfigMap', 'settings', { data: { colour: 'red' } })
    await eventually(() => seen.at(-1) === 'red')
    await remove('ConfigMap', 'settings')
    await eventually(() => seen.at(-1) === undefined)
  })

  it('may be of a kind that nobody serves yet', async () => {
    const late = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Late',
      spec: z.object({}),
      create: () => {
        throw new Error('not controlled here')
      },
    })
    const kind = kindOf(async (one) => {
      const late = one.handle(`${GROUP}/v1`, 'Late', 'x')
      await one.conditions.set('Found', { status: late.exists ? 'True' : 'False' })
    })
    const { operate, create, client, untilCondition } = await stage()
    await operate([kind])
    await create('Looker', 'a')
    await untilCondition('Looker', 'a', 'Found', 'False Reconciled')
    const definitions = client.resourceOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
    await definitions.apply(late.definition, { fieldManager: 'test' })
    await eventually(() => client.discover(`${GROUP}/v1`, 'Late'))
    await create('Late', 'x')
    await untilCondition('Looker', 'a', 'Found', 'True Reconciled')
  })

  it('settles for an author who compares, although the server writes a value in another way', async () => {
    const wanted = { hard: { cpu: '1000m' } }
    const kind = kindOf(async (one) => {
      await one.reconcileSubresource('Quota', async () => {
        const quota = one.handle('v1', 'ResourceQuota', one.name)
        if (JSON.stringify(quota.spec) === JSON.stringify(wanted)) return { ready: true }
        await quota.patch({ spec: wanted })
        return { ready: false, syncing: true, reason: 'Updating' }
      })
    })
    const { operate, create, untilCondition } = await stage()
    const first = await operate([kind])
    await create('Looker', 'a')
    const before = await untilCondition('Looker', 'a', 'Ready', 'True Ready')
    await first.running.idle()
    await first.running.close()
    // A new process does not know what was sent before. It must not report the object as not ready, even for a moment.
    const { running } = await operate([kind])
    await eventually(() => running.runs >= 1)
    await running.idle()
    const after = await untilCondition('Looker', 'a', 'Ready', 'True Ready')
    expect(conditionOf(after, 'Quota')).toBe('True Ready')
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion)
  })
})
