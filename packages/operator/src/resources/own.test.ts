import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SecretService } from '../secrets/secret-service.ts'
import { conditionOf, GROUP, stage } from './class-style.fixture.ts'
import { CustomResource, type CustomResourceOptions } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceService } from './resource-service.ts'

const spec = z.object({ text: z.string().default('hello'), parts: z.array(z.string()).default([]) })
const status = z.object({ seen: z.string() })

type Options = CustomResourceOptions<typeof spec, typeof status>

class Both extends CustomResource<typeof spec, typeof status> {
  readonly config = this.own('v1', 'ConfigMap')
  readonly other = this.own('v1', 'ConfigMap', `${this.name}-other`)

  async reconcile() {
    await this.config.ensure({ metadata: { labels: { app: this.name } }, data: { text: this.spec.text } })
    await this.other.ensure({ data: { text: 'other' } })
    for (const part of this.spec.parts) {
      await this.own('v1', 'ConfigMap', `${this.name}-${part}`).ensure({ data: { part } })
    }
    await this.patchStatus({ seen: String(this.config.data?.text) })
  }
}

/** The next version of the operator, with one field less. */
class One extends CustomResource<typeof spec, typeof status> {
  readonly config = this.own('v1', 'ConfigMap')

  async reconcile() {
    if (this.spec.text === 'fail') throw new Error('boom')
    await this.config.ensure({ data: { text: this.spec.text } })
  }
}

const AWAY = { name: 'a', namespace: 'kube-public' }
const secret = z.object({ key: z.string() })

/** Writes to an object in another namespace. */
class Elsewhere extends CustomResource<typeof spec, typeof status> {
  readonly handle = this.services.get(ResourceService).get({ apiVersion: 'v1', kind: 'ConfigMap', ...AWAY })
  readonly secrets = this.services.get(SecretService)
  readonly #write: (pair: Elsewhere) => Promise<unknown>

  constructor(options: Options, write: (pair: Elsewhere) => Promise<unknown>) {
    super(options)
    this.#write = write
  }

  async reconcile() {
    await this.#write(this)
  }
}

function kindOf(create: (options: Options) => CustomResource<typeof spec, typeof status>) {
  return createCustomResourceDefinition({ group: GROUP, version: 'v1', kind: 'Pair', spec, status, create })
}

const both = kindOf((options) => new Both(options))
const one = kindOf((options) => new One(options))

function inventoried(pair: LooseObject | undefined): number {
  return (pair?.status?.inventory as unknown[] | undefined)?.length ?? 0
}

describe('an owned object', () => {
  it('has the owner, comes back when it is deleted, and goes with its owner', async () => {
    const { operate, create, find, delete: remove } = await stage()
    await operate([both])
    const pair = await create('Pair', 'a')
    const config = await eventually(() => find('ConfigMap', 'a'))
    expect(config.metadata.ownerReferences).toMatchObject([{ uid: pair.metadata.uid, controller: true }])
    expect(config.metadata.labels).toEqual({ app: 'a' })
    await remove('ConfigMap', 'a')
    await eventually(async () => {
      const uid = (await find('ConfigMap', 'a'))?.metadata.uid
      return uid !== undefined && uid !== config.metadata.uid
    })
    await remove('Pair', 'a')
    await eventually(async () => !(await find('ConfigMap', 'a')) && !(await find('ConfigMap', 'a-other')))
  })

  it('costs no write when all is well, and is seen in the run that made it', async () => {
    const { operate, create, find } = await stage()
    const { running, writes } = await operate([both])
    await create('Pair', 'a')
    const pair = await eventually(async () => {
      const found = await find('Pair', 'a')
      return conditionOf(found, 'Ready') === 'True Reconciled' && found
    })
    expect(pair.status?.seen).toBe('hello')
    await running.idle()
    writes.length = 0
    const before = running.runs
    running.queue({ apiVersion: `${GROUP}/v1`, kind: 'Pair', name: 'a', namespace: 'default' }, 'test')
    await eventually(() => running.runs > before)
    await running.idle()
    expect(writes).toEqual([])
  })

  it('is removed when the field of its handle goes away, but not after a run that failed', async () => {
    const { operate, create, find, merge, untilCondition } = await stage()
    const first = await operate([both])
    await create('Pair', 'a', { text: 'fail' })
    await untilCondition('Pair', 'a', 'Ready', 'True Reconciled')
    expect(inventoried(await find('Pair', 'a'))).toBe(2)
    await first.running.close()
    await operate([one])
    await untilCondition('Pair', 'a', 'Ready', 'False ReconcileFailed')
    expect(await find('ConfigMap', 'a-other')).toBeDefined()
    await merge('Pair', 'a', { spec: { text: 'works' } })
    await eventually(async () => (await find('ConfigMap', 'a-other')) === undefined)
    await eventually(async () => inventoried(await find('Pair', 'a')) === 1)
    expect((await find('ConfigMap', 'a'))?.data).toEqual({ text: 'works' })
  })

  it('is left alone when somebody else has made it their own meanwhile', async () => {
    const { operate, create, find, merge, untilCondition } = await stage()
    const first = await operate([both])
    await create('Pair', 'a')
    await untilCondition('Pair', 'a', 'Ready', 'True Reconciled')
    await first.running.close()
    await merge('ConfigMap', 'a-other', { metadata: { ownerReferences: null } })
    await operate([one])
    await eventually(async () => inventoried(await find('Pair', 'a')) === 1)
    expect(await find('ConfigMap', 'a-other')).toBeDefined()
  })

  it('is removed, too, when a run does not ask for its handle any more', async () => {
    const { operate, create, find, merge } = await stage()
    await operate([both])
    await create('Pair', 'a', { parts: ['x', 'y'] })
    await eventually(() => find('ConfigMap', 'a-y'))
    await merge('Pair', 'a', { spec: { parts: ['y'] } })
    await eventually(async () => (await find('ConfigMap', 'a-x')) === undefined)
    expect(await find('ConfigMap', 'a-y')).toBeDefined()
  })

  it('cannot be of a kind without namespaces when its owner has one', async () => {
    class Wrong extends CustomResource<typeof spec, typeof status> {
      readonly role = this.own('rbac.authorization.k8s.io/v1', 'ClusterRole')
      async reconcile() {
        await this.role.ensure({ rules: [] })
      }
    }
    const { operate, create, untilCondition } = await stage()
    await operate([kindOf((options) => new Wrong(options))])
    await create('Pair', 'a')
    const pair = await untilCondition('Pair', 'a', 'Ready', 'False CannotOwn')
    expect(pair.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(
      /^Pair default\/a cannot own ClusterRole/,
    )
  })

  it.each<[string, (pair: Elsewhere) => Promise<unknown>, string]>([
    ['a handle', (pair) => pair.handle.patch({ metadata: { ownerReferences: [pair.ref] } }), 'ConfigMap kube-public/a'],
    ['an own handle', (pair) => pair.own('v1', 'ConfigMap', AWAY).ensure({}), 'ConfigMap kube-public/a'],
    [
      'a secret',
      (pair) => pair.secrets.ensure({ ...AWAY, schema: secret, generator: () => ({ key: 'k' }), owner: pair.ref }),
      'Secret kube-public/a',
    ],
    [
      'a reference to a secret',
      async (pair) =>
        pair.secrets.get(AWAY).current?.patch({ metadata: { ownerReferences: [pair.ref] }, data: { key: 'k' } }),
      'Secret kube-public/a',
    ],
  ])('cannot be in another namespace than its owner, by %s', async (_, write, shown) => {
    const { operate, create, untilCondition, client } = await stage()
    const { running } = await operate([kindOf((options) => new Elsewhere(options, write))])
    await create('Pair', 'a')
    const pair = await untilCondition('Pair', 'a', 'Ready', 'False CannotOwn')
    expect(pair.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(
      `Pair default/a cannot own ${shown}: owners are in the namespace of what they own.`,
    )
    await running.idle()
    expect(running.runs).toBe(1)
    expect(await client.resource('v1', 'ConfigMap').find(AWAY)).toBeUndefined()
    expect(await client.resource('v1', 'Secret').find(AWAY)).toBeUndefined()
  })

  it('has its place in the status, which no author may use', () => {
    const taken = z.object({ inventory: z.string() })
    const options = { group: GROUP, version: 'v1', kind: 'Pair', spec, status: taken }
    const create = () => {
      throw new Error('never')
    }
    expect(() => createCustomResourceDefinition({ ...options, create })).toThrow(
      'The status of Pair has a field inventory',
    )
  })
})

describe('an object without a namespace', () => {
  it('has instances that know so, and owns objects in the namespaces it names', async () => {
    class Fleet extends CustomResource<typeof spec, undefined, 'Cluster'> {
      readonly config = this.own('v1', 'ConfigMap', { name: `fleet-${this.name}`, namespace: 'default' })
      async reconcile() {
        await this.config.ensure({ data: { namespace: String(this.namespace) } })
      }
    }
    const fleet = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Fleet',
      scope: 'Cluster',
      spec,
      create: (options) => new Fleet(options),
    })
    const { operate, client, find } = await stage()
    await operate([fleet])
    const fleets = client.resourceOf(`${GROUP}/v1`, 'Fleet')
    await fleets.create({ apiVersion: `${GROUP}/v1`, kind: 'Fleet', metadata: { name: 'a' } })
    const config = await eventually(() => find('ConfigMap', 'fleet-a'))
    expect(config.data).toEqual({ namespace: 'undefined' })
    await fleets.delete({ name: 'a' })
    await eventually(async () => (await find('ConfigMap', 'fleet-a')) === undefined)
  })
})
