// Narrowed caches, selections and watches, on a real server.

import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, configMap, NAMESPACE, stage } from './operate.fixture.ts'

describe('a narrowed cache', () => {
  it('holds what it selects alone; what else is read is asked of the server', async () => {
    const { operate, widget, create } = await stage()
    await create(configMap('in', { a: '1' }, { app: 'x' }))
    await create(configMap('out', { a: '2' }))
    const seen: unknown[] = []
    const narrow = controller('example.com/v1', 'Widget', async (run) => {
      const read = (name: string) => run.read<LooseObject>({ ...CONFIG_MAP, name })
      const [inside, outside, nothing] = [await read('in'), await read('out'), await read('none')]
      const some = await run.readAll(CONFIG_MAP, { namespace: NAMESPACE, labels: { app: 'x' } })
      const all = await run.readAll(CONFIG_MAP, { namespace: NAMESPACE })
      const names = all.map(({ metadata }) => metadata.name)
      seen.push([inside?.data?.a, outside?.data?.a, nothing, some.length, names.includes('out')])
    })
    const operator = await operate(narrow, { caches: { 'v1/ConfigMap': { labelSelector: 'app=x' } } })
    await widget('a')
    await eventually(() => seen.length > 0)
    expect(seen[0]).toEqual(['1', '2', undefined, 1, true])
    expect(operator.caches().find(({ kind }) => kind === 'ConfigMap')?.size).toBe(1)
  })

  it('does not make applies of what it does not hold go again and again', async () => {
    const { operate, widget } = await stage()
    let runs = 0
    const apply = controller('example.com/v1', 'Widget', async (run) => {
      runs++
      await run.apply({ ...CONFIG_MAP, metadata: { name: 'made' }, data: { a: 'b' } })
      await run.apply({ ...CONFIG_MAP, metadata: { name: 'held', labels: { app: 'x' } }, data: { a: 'b' } })
    })
    const caches = { 'v1/ConfigMap': { labelSelector: 'app=x' } }
    const operator = await operate(apply, { caches })
    await widget('a')
    await eventually(() => runs >= 2)
    await operator.idle()
    expect(operator.writes).toHaveLength(2)
    expect(operator.caches().find(({ kind }) => kind === 'ConfigMap')?.size).toBe(1)
    await operator.close()
    runs = 0
    const again = await operate(apply, { caches })
    await eventually(() => runs >= 1)
    await again.idle()
    expect(again.writes).toEqual([])
  })
})

describe('a controller of a selection', () => {
  it('runs for what it selects, and forgets what leaves it', async () => {
    const { operate, create, merge } = await stage()
    const seen: string[] = []
    const some = controller('v1', 'ConfigMap', {
      select: { labelSelector: 'mine=yes' },
      reconcile: async (run) => void seen.push(run.object.metadata.name ?? ''),
      forget: ({ name }) => void seen.push(`gone ${name}`),
    })
    const operator = await operate(some)
    await create(configMap('other'))
    await create(configMap('own', {}, { mine: 'yes' }))
    await eventually(() => seen.length === 1)
    await merge('ConfigMap', 'own', { metadata: { labels: { mine: null } } })
    await eventually(() => seen.length === 2)
    await operator.idle()
    expect(seen).toEqual(['own', 'gone own'])
    expect(operator.sizes()).toMatchObject({ states: 0, sent: 0 })
  })
})

describe('a watch rule', () => {
  it('queues for the old and the new state of what changed, and survives a map that fails', async () => {
    const { operate, widget, create, merge } = await stage()
    await widget('a')
    await widget('b')
    const seen: string[] = []
    const watching = controller('example.com/v1', 'Widget', {
      reconcile: async (run) => void seen.push(run.object.metadata.name ?? ''),
      watches: [
        {
          ...CONFIG_MAP,
          map({ metadata: { labels, namespace } }) {
            if (labels?.widget === 'broken') throw new Error('cannot map')
            return labels?.widget === undefined ? [] : [{ name: labels.widget, namespace }]
          },
        },
      ],
    })
    const operator = await operate(watching)
    await eventually(() => seen.length === 2)
    seen.length = 0
    await create(configMap('bad', {}, { widget: 'broken' }))
    await create(configMap('settings', {}, { widget: 'a' }))
    await eventually(() => seen.length === 1)
    await merge('ConfigMap', 'settings', { metadata: { labels: { widget: 'b' } } })
    await eventually(() => seen.length === 3)
    await operator.idle()
    expect(seen.toSorted()).toEqual(['a', 'a', 'b'])
  })
})

describe('a kind that the operator may not see', () => {
  it('fails the run at once, with the reason, and not by its timeout', async () => {
    const { operate, widget } = await stage()
    const errors: string[] = []
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => errors.push(String(Object(fields).err)) }
    const reading = controller('example.com/v1', 'Widget', async (run) => {
      await run.read({ apiVersion: 'v1', kind: 'Secret', name: 'x' })
    })
    await operate(reading, { forbidden: 'secrets', log, backoff: { min: '1h', max: '1h' } })
    await widget('a')
    await eventually(() => errors.length > 0)
    expect(errors[0]).toMatch(/the cache of v1 Secret is not ready: secrets is forbidden/)
  })
})

describe('remove', () => {
  it('takes an object away once, seen at once, and waits for no object that is not there', async () => {
    const { operate, widget, create, find } = await stage()
    await create(configMap('old'))
    const seen: unknown[] = []
    const removing = controller('example.com/v1', 'Widget', async (run) => {
      const ref = { ...CONFIG_MAP, name: 'old' }
      const { uid } = (await run.read(ref))?.metadata ?? {}
      await run.remove(ref, { uid: 'another' })
      seen.push((await run.read(ref)) !== undefined)
      await run.remove(ref, uid === undefined ? {} : { uid })
      seen.push((await run.read(ref)) !== undefined)
    })
    const operator = await operate(removing)
    await widget('a')
    await eventually(() => seen.length >= 2)
    await operator.idle()
    expect(seen.slice(0, 2)).toEqual([true, false])
    expect(operator.writes).toHaveLength(1)
    expect(await find('ConfigMap', 'old')).toBeUndefined()
  })
})
