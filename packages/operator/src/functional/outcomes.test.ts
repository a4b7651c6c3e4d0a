import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { INVENTORY } from '../resources/inventory.ts'
import { terminal, waiting } from '../runtime/outcome.ts'
import { operator } from './operator.ts'
import { conditionsOf, openShop } from './shop.fixture.ts'

const spec = z.object({})
const status = z.object({ url: z.string() })

const home = (fields: object = {}) => ({
  apiVersion: 'ex.io/v1',
  kind: 'Site',
  metadata: { name: 'home', namespace: 'default' },
  spec: fields,
})

describe('an object that is there already', () => {
  const config = (options: object = {}) =>
    operator('ex.io/v1/Site', { spec }, ({ child }) => [child('v1', 'ConfigMap', { data: { a: '1' } }, options)])
  const existing = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'home', namespace: 'default' },
    data: { b: '2' },
  }

  it('is left alone, and the parent says that it is in the way', async () => {
    const kind = config()
    await using shop = await openShop(kind)
    await shop.apply(existing)
    const running = await shop.operate(kind)
    await shop.apply(home())
    await eventually(
      async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready === 'False AlreadyExists',
    )
    expect((await shop.find('v1', 'ConfigMap', 'home'))?.data).toEqual({ b: '2' })
    await shop.remove('v1', 'ConfigMap', 'home')
    await eventually(async () => (await shop.find('v1', 'ConfigMap', 'home'))?.data?.a === '1')
    await running.idle()
  })

  it('is taken over when the child says so', async () => {
    const kind = config({ adopt: true })
    await using shop = await openShop(kind)
    await shop.apply(existing)
    await shop.operate(kind)
    await shop.apply(home())
    const taken = await eventually(async () => {
      const found = await shop.find('v1', 'ConfigMap', 'home')
      return found?.data?.a === '1' && found
    })
    expect(taken.data).toEqual({ a: '1', b: '2' })
    expect(taken.metadata.ownerReferences).toHaveLength(1)
  })

  it('of another owner is never taken, nor removed', async () => {
    const kind = config({ adopt: true })
    await using shop = await openShop(kind)
    const owner = await shop.apply({ ...existing, metadata: { name: 'owner', namespace: 'default' } })
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid, controller: true }
    await shop.apply({ ...existing, metadata: { ...existing.metadata, ownerReferences: [reference] } })
    await shop.operate(kind)
    await shop.apply(home())
    await eventually(
      async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready === 'False OwnedByOther',
    )
    expect((await shop.find('v1', 'ConfigMap', 'home'))?.data).toEqual({ b: '2' })
    await shop.remove('ex.io/v1', 'Site', 'home')
    await eventually(async () => !(await shop.find('ex.io/v1', 'Site', 'home')))
    expect((await shop.find('v1', 'ConfigMap', 'home'))?.data).toEqual({ b: '2' })
  })
})

describe('outcomes', () => {
  it('an invalid spec says so, and nothing runs until it changes', async () => {
    const strict = z.object({ size: z.number().refine((size) => size % 2 === 0, 'must be even') })
    let runs = 0
    const kind = operator('ex.io/v1/Site', { spec: strict }, ({ spec }) => {
      runs += spec.size
    })
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    await shop.apply(home({ size: 3 }))
    const refused = await eventually(async () => {
      const found = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(found).Accepted === 'False InvalidSpec' && found
    })
    expect(refused.status?.conditions?.find(({ type }) => type === 'Accepted')?.message).toBe('spec.size: must be even')
    await running.idle()
    expect(runs).toBe(0)
    await shop.apply(home({ size: 4 }))
    await eventually(async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready === 'True Reconciled')
    expect(runs).toBe(4)
  })

  it('waiting and terminal end a run from anywhere, and keep the children that are there', async () => {
    let mode = 'fine'
    const kind = operator('ex.io/v1/Site', { spec }, ({ child }) => {
      const deep = () => {
        if (mode === 'waiting') throw waiting('NoMoon', 'the moon is not up')
        if (mode === 'terminal') throw terminal(new Error('never ever'), 'Hopeless')
      }
      deep()
      return [child('v1', 'ConfigMap', { data: {} })]
    })
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    const ref = { apiVersion: 'ex.io/v1', kind: 'Site', name: 'home', namespace: 'default' }
    await shop.apply(home())
    await eventually(() => shop.find('v1', 'ConfigMap', 'home'))
    for (const [next, expected] of [
      ['waiting', 'False NoMoon'],
      ['terminal', 'False Hopeless'],
    ] as const) {
      mode = next
      running.queue(ref, next)
      await eventually(async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready === expected)
    }
    const object = await shop.find('ex.io/v1', 'Site', 'home')
    expect(object?.status?.[INVENTORY]).toHaveLength(1)
    expect(await shop.find('v1', 'ConfigMap', 'home')).toBeDefined()
  })

  it('nothing is removed while what replaces it cannot be made', async () => {
    const value = (mode: string) => (mode === 'wrong' ? (1 as unknown as string) : mode)
    const kind = operator('ex.io/v1/Site', { spec: z.object({ mode: z.string() }) }, ({ spec: { mode }, child }) => [
      child('v1', 'ConfigMap', { data: { a: value(mode) } }, { name: mode }),
    ])
    await using shop = await openShop(kind)
    const running = await shop.operate(kind, { backoff: { min: '1ms', max: '2ms' } })
    await shop.apply(home({ mode: 'old' }))
    await eventually(() => shop.find('v1', 'ConfigMap', 'old'))
    await shop.apply(home({ mode: 'wrong' }))
    await eventually(
      async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home'))['ConfigMap-wrong'] === 'False ApplyFailed',
    )
    expect(await shop.find('v1', 'ConfigMap', 'old')).toBeDefined()
    await shop.apply(home({ mode: 'new' }))
    await eventually(() => shop.find('v1', 'ConfigMap', 'new'))
    await eventually(async () => !(await shop.find('v1', 'ConfigMap', 'old')))
    await running.idle()
    expect((await shop.find('ex.io/v1', 'Site', 'home'))?.status?.[INVENTORY]).toHaveLength(1)
  })

  it('one child that fails does not keep the others from being made', async () => {
    const kind = operator('ex.io/v1/Site', { spec }, ({ child }) => [
      child('v1', 'ConfigMap', { data: { a: 1 as never } }, { name: 'wrong' }),
      child('v1', 'ConfigMap', { data: { a: '1' } }, { name: 'right' }),
    ])
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(home())
    await eventually(() => shop.find('v1', 'ConfigMap', 'right'))
    const object = await eventually(async () => {
      const found = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(found)['ConfigMap-wrong'] !== undefined && found
    })
    expect(conditionsOf(object)).toMatchObject({
      'ConfigMap-wrong': 'False ApplyFailed',
      'ConfigMap-right': 'True Ready',
      Ready: 'False ReconcileFailed',
    })
  })

  it.each([
    ['of the wrong type', { url: 5 as unknown as string }],
    ['with a field too many', { url: '', more: 1 }],
  ])('a status %s is reported as a mistake', async (_, wrong) => {
    const kind = operator('ex.io/v1/Site', { spec, status }, () => ({ status: wrong }))
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(home())
    await eventually(
      async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready === 'False InvalidStatus',
    )
  })

  it('two children of one name are reported as a mistake', async () => {
    const kind = operator('ex.io/v1/Site', { spec }, ({ child }) => [
      child('v1', 'ConfigMap', { data: { a: '1' } }),
      child('v1', 'ConfigMap', { data: { a: '2' } }),
    ])
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(home())
    const object = await eventually(async () => {
      const found = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(found).Ready === 'False ReconcileFailed' && found
    })
    expect(object.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain('wanted twice')
  })
})

describe('a child that is described and not returned', () => {
  it('ends the run by name, and nothing is made', async () => {
    const kind = operator('ex.io/v1/Site', { spec }, ({ child }) => {
      const config = child('v1', 'ConfigMap', { data: {} }, { name: 'lost' })
      return [child('v1', 'ConfigMap', { data: {} }), config.name === '' && config]
    })
    await using shop = await openShop(kind)
    const running = await shop.operate(kind)
    await shop.apply(home())
    const found = await eventually(async () => {
      const site = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(site).Ready === 'False ChildNotReturned' && site
    })
    expect(found.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
      'ConfigMap default/lost: child() describes it, and the function does not return it. Return it, or do not call child() for it',
    )
    await running.idle()
    expect(running.runs).toBe(1)
    expect(await shop.find('v1', 'ConfigMap', 'home')).toBeUndefined()
  })

  it('is none when it was applied, or another waits for it', async () => {
    const kind = operator('ex.io/v1/Site', { spec }, async ({ child }) => {
      const first = child('v1', 'ConfigMap', { data: {} }, { name: 'first' })
      await first.applied()
      const second = child('v1', 'ConfigMap', { data: {} }, { name: 'second' })
      return [child('v1', 'ConfigMap', { data: {} }, { name: 'third', after: [second] })]
    })
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(home())
    await eventually(async () => conditionsOf(await shop.find('ex.io/v1', 'Site', 'home')).Ready?.startsWith('True'))
    for (const name of ['first', 'second', 'third']) expect(await shop.find('v1', 'ConfigMap', name)).toBeDefined()
  })
})

describe('a namespace for a child that is in none', () => {
  it('ends the run', async () => {
    const kind = operator('ex.io/v1/Site', { spec }, ({ child }) => [
      // @ts-expect-error as in a program in JavaScript
      child('v1', 'Namespace', {}, { name: 'made', namespace: 'default' }),
    ])
    await using shop = await openShop(kind)
    await shop.operate(kind)
    await shop.apply(home())
    const found = await eventually(async () => {
      const site = await shop.find('ex.io/v1', 'Site', 'home')
      return conditionsOf(site).Ready === 'False NoNamespace' && site
    })
    expect(found.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
      'Namespace default/made: objects of this kind are in no namespace; leave the namespace default out',
    )
  })
})
