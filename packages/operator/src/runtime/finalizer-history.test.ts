// Objects outlive a rename of their operator and a change between watching and pulling: deletion completes after each
// of them.

import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import type { Controlled } from './controlled.ts'
import { configMap, define, definition, NAMESPACE, type Stage, stage } from './operate.fixture.ts'

const NAMED = { name: 'a', namespace: NAMESPACE }
const FINALIZER = 'example.com/finalizer'
/** The author gives no name. */
const UNNAMED = { name: undefined as unknown as string }

/** A kind that its operator defines. */
function owned(kind: string, cleaned: string[] = []): Controlled {
  const parts = {
    reconcile: async () => {},
    cleanup: async () => void cleaned.push(kind),
  }
  return { ...controller('example.com/v1', kind, parts), definition: definition(kind) }
}

/**
 * An object of an earlier version: its finalizer is named after the operator, which added it and applied the status.
 */
async function leftBy({ client, widget }: Stage, manager: string, { status = true } = {}): Promise<void> {
  await widget('a')
  const access = client.resourceOf<LooseObject>('example.com/v1', 'Widget')
  await access.patch(NAMED, { metadata: { finalizers: [`example.com/${manager}`] } }, { fieldManager: manager })
  if (!status) return
  const ready = {
    type: 'Ready',
    status: 'True' as const,
    reason: 'Reconciled',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const said = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: NAMED, status: { conditions: [ready] } }
  await access.status.apply(said, { fieldManager: manager, force: true })
}

describe('of a kind that the operator defines', () => {
  it('the finalizer is the same under another name', async () => {
    const { operate, widget, find, delete: remove } = await stage()
    const cleaned: string[] = []
    const first = await operate(owned('Widget', cleaned), { name: 'first' })
    await widget('a')
    await eventually(async () => (await find('Widget', 'a'))?.metadata.finalizers?.length === 1)
    expect((await find('Widget', 'a'))?.metadata.finalizers).toEqual([FINALIZER])
    await first.close()
    await operate(owned('Widget', cleaned), { name: 'second' })
    await remove('Widget', 'a')
    await eventually(async () => (await find('Widget', 'a')) === undefined)
    expect(cleaned).toEqual(['Widget'])
  })

  it.each<[string, object, { name?: string; formerNames?: string[] }]>([
    ['the same name', {}, { name: 'old' }],
    ['a name that is listed', { status: false }, { name: 'new', formerNames: ['older', 'old'] }],
    ['the name of whoever wrote the status', {}, { name: 'new' }],
  ])('one of an earlier version is replaced, by %s', async (_, left, options) => {
    const at = await stage()
    await leftBy(at, 'old', left)
    await at.operate(owned('Widget'), options)
    await eventually(async () => (await at.find('Widget', 'a'))?.metadata.finalizers?.[0] === FINALIZER)
    expect((await at.find('Widget', 'a'))?.metadata.finalizers).toEqual([FINALIZER])
  })

  it('one of an earlier version does not hold an object that is being deleted', async () => {
    const at = await stage()
    const cleaned: string[] = []
    await leftBy(at, 'old')
    await at.delete('Widget', 'a')
    await at.operate(owned('Widget', cleaned), { name: 'new' })
    await eventually(async () => (await at.find('Widget', 'a')) === undefined)
    expect(cleaned).toEqual(['Widget'])
  })

  it('the order of kinds without a name does not matter', async () => {
    const at = await stage()
    await define(at.client, 'Gadget')
    await leftBy(at, 'gadget-operator.example.com', { status: false })
    await at.operate([owned('Widget'), owned('Gadget')], UNNAMED)
    await at.delete('Widget', 'a')
    await eventually(async () => (await at.find('Widget', 'a')) === undefined)
  })

  it('one of somebody else stays, and the log says once what is waited for', async () => {
    const at = await stage()
    const said: unknown[] = []
    const log = {
      debug() {},
      info: (fields: object, message: string) => void (message.includes('waits for') && said.push(fields)),
      warn() {},
      error() {},
    }
    await leftBy(at, 'backup', { status: false })
    const operator = await at.operate(owned('Widget'), { name: 'new', log })
    await eventually(async () => (await at.find('Widget', 'a'))?.metadata.finalizers?.length === 2)
    await at.delete('Widget', 'a')
    await eventually(() => said.length > 0)
    await at.merge('Widget', 'a', { metadata: { labels: { again: 'yes' } } })
    await eventually(async () => (await at.find('Widget', 'a'))?.metadata.finalizers?.length === 1)
    await operator.idle()
    expect(said).toEqual([{ kind: 'Widget', name: 'a', namespace: NAMESPACE, finalizers: ['example.com/backup'] }])
    await at.merge('Widget', 'a', { metadata: { finalizers: [] } })
  })
})

describe('of any other kind', () => {
  const cleaning = (cleaned: string[], as: string) =>
    controller('v1', 'ConfigMap', {
      reconcile: async () => {},
      cleanup: async () => void cleaned.push(as),
      select: { fieldSelector: 'metadata.name=a' },
    })

  it('a cleanup needs a name that does not change', async () => {
    const { operate } = await stage()
    await expect(operate(cleaning([], ''), UNNAMED)).rejects.toThrow(
      "give it a name that never changes, e.g. run(..., { name: 'shop-operator' }). Objects that have a finalizer of this " +
        "operator already, which was called configmap-operator, need formerNames: ['configmap-operator'] as well",
    )
  })

  it('two operators have a finalizer each, and each takes off its own', async () => {
    const { operate, create, find, delete: remove } = await stage()
    const cleaned: string[] = []
    await operate(cleaning(cleaned, 'shop'), { name: 'shop', formerNames: ['configmap-operator'] })
    await operate(cleaning(cleaned, 'backup'), { name: 'backup' })
    await create(configMap('a'))
    await eventually(async () => (await find('ConfigMap', 'a'))?.metadata.finalizers?.length === 2)
    const { finalizers } = (await find('ConfigMap', 'a'))?.metadata ?? {}
    expect(finalizers?.toSorted()).toEqual(['homeostat.dev/backup', 'homeostat.dev/shop'])
    await remove('ConfigMap', 'a')
    await eventually(async () => (await find('ConfigMap', 'a')) === undefined)
    expect(cleaned.toSorted()).toEqual(['backup', 'shop'])
  })
})
