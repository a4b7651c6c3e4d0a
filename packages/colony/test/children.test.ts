import type { ApiObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { DATABASES, database, handledColony } from './handled.fixture.ts'

const MAPS = { group: '', resource: 'configmaps' }
const map = (name: string | undefined, more: object = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...(name && { name }) }, data: { a: '1' }, ...more }) as ApiObject

describe('children that an executor names', () => {
  it('are made, owned, kept when nothing is said, and pruned', async () => {
    const { user, take, finish, get, change, untilCondition, until } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take(), { children: [map('a'), map(undefined)], status: { phase: 'Running' } })
    await untilCondition('Ready', 'True/Reconciled')
    expect(user.get(MAPS, { namespace: 'dev', name: 'a' })?.metadata.ownerReferences).toMatchObject([
      { kind: 'Database', name: 'orders' },
    ])
    // Without a name it has that of the resource.
    expect(user.get(MAPS, { namespace: 'dev', name: 'orders' })).toBeDefined()
    expect(get()?.status).toMatchObject({ phase: 'Running', inventory: [{ name: 'a' }, { name: 'orders' }] })
    await change((object) => {
      object.spec = { engine: 'mysql' }
    })
    await finish(await take())
    await until(() => JSON.stringify(get()?.status).includes('"observedGeneration":2'))
    expect(get()?.status).toMatchObject({ inventory: [{ name: 'a' }, { name: 'orders' }] })
    await change((object) => {
      object.spec = { engine: 'sqlite' }
    })
    await finish(await take(), { children: [map('a')] })
    await until(() => user.get(MAPS, { namespace: 'dev', name: 'orders' }) === undefined)
    expect(get()?.status).toMatchObject({ observedGeneration: 3, inventory: [{ name: 'a' }] })
  })

  it('that cannot be applied make the run a failed one', async () => {
    const { user, take, finish, untilCondition, untilWaiting, get } = await handledColony()
    await user.create(DATABASES, database())
    await user.create(MAPS, { ...map('theirs'), metadata: { name: 'theirs', namespace: 'dev' } })
    const { body } = await finish(await take(), { children: [map('a'), map('theirs')] })
    expect(body.status).toMatchObject({ phase: 'Waiting', errors: [expect.stringContaining('theirs')] })
    await untilCondition('Ready', 'False/ChildrenFailed')
    expect((await untilWaiting()).status.retries).toBe(1)
    expect(get()?.status).not.toHaveProperty('observedGeneration')
  })

  it('in other namespaces are removed before the resource goes', async () => {
    const { user, take, finish, until, get } = await handledColony()
    await user.create(DATABASES, database())
    const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'far', namespace: 'default' } }
    await finish(await take(), { children: [child as ApiObject] })
    expect(user.get(MAPS, { namespace: 'default', name: 'far' })).toBeDefined()
    await user.delete(DATABASES, { namespace: 'dev', name: 'orders' })
    await finish(await take())
    await until(() => get() === undefined)
    expect(user.get(MAPS, { namespace: 'default', name: 'far' })).toBeUndefined()
  })
})
