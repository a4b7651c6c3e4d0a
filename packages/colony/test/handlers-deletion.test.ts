import { describe, expect, it } from 'vitest'
import { DATABASES, database, handledColony } from './handled.fixture.ts'
import { CRDS } from './server.fixture.ts'

describe('a resource that is deleted', () => {
  it('goes when its executor has cleaned up, and not before', async () => {
    const { user, take, finish, until, get, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take())
    await user.delete(DATABASES, { namespace: 'dev', name: 'orders' })
    const process = await untilWaiting()
    expect(process.metadata.annotations?.['colonies.io/cause']).toBe('deletion')
    expect(process.spec.kwargs).toHaveProperty('metadata.deletionTimestamp')
    const first = await take()
    await finish(first, { requeueAfter: 0 })
    expect(get()).toBeDefined()
    await finish(await take(), { status: { phase: 'Deleted' } })
    await until(() => get() === undefined)
  })

  it('is not run a second time when its cleaning up fails for good, until somebody asks', async () => {
    const { user, take, finish, until, get, waiting, change, untilCondition, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    // Before it is held it would go at once, and what is taken before it is deleted is no cleanup.
    await untilWaiting()
    await user.delete(DATABASES, { namespace: 'dev', name: 'orders' })
    await untilWaiting(({ metadata }) => metadata.annotations?.['colonies.io/cause'] === 'deletion')
    await finish(await take(), { result: 'Failed', retryable: false, errors: ['in use'] })
    await untilCondition('Progressing', 'False/Failed')
    expect(waiting()).toEqual([])
    await change(({ metadata }) => {
      metadata.annotations = { 'colonies.io/reconcile': 'now' }
    })
    await finish(await take())
    await until(() => get() === undefined)
  })

  it('and made anew is another: the end of the old run says nothing about it', async () => {
    const { user, take, finish, until, get } = await handledColony()
    await user.create(DATABASES, database())
    const old = await take()
    await user.delete(DATABASES, { namespace: 'dev', name: 'orders' })
    await user.change(DATABASES, { namespace: 'dev', name: 'orders' }, ({ metadata }) => {
      metadata.finalizers = []
    })
    await until(() => get() === undefined)
    await user.create(DATABASES, database())
    const { status } = await finish(old, { status: { phase: 'Old' } })
    expect([200, 404]).toContain(status)
    expect(get()?.status ?? {}).not.toHaveProperty('phase')
  })

  it('is let go when its definition loses its handler', async () => {
    const { user, until, get, untilWaiting, processes } = await handledColony()
    await user.create(DATABASES, database())
    await untilWaiting()
    await user.delete(DATABASES, { namespace: 'dev', name: 'orders' })
    const name = 'databases.storage.colonies.io'
    await user.change({ group: 'colonies.io', resource: 'resourcedefinitions' }, { name }, ({ spec }) => {
      delete (spec as { handler?: unknown }).handler
    })
    await until(() => get() === undefined)
    await until(() => processes().length === 0)
  })

  it('with its definition is cleaned up, too', async () => {
    const { user, take, finish, until } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take())
    const name = 'databases.storage.colonies.io'
    await user.delete({ group: 'colonies.io', resource: 'resourcedefinitions' }, { name })
    const process = await take()
    expect(process.spec.kwargs).toHaveProperty('metadata.deletionTimestamp')
    await finish(process)
    await until(() => user.get(CRDS, { name }) === undefined)
  })

  it('without those it owns is cleaned up nevertheless', async () => {
    const { user, take, finish, until, get, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    await untilWaiting()
    await user.delete(DATABASES, { namespace: 'dev', name: 'orders' }, { propagationPolicy: 'Orphan' })
    await until(() => get()?.metadata.finalizers?.length === 1)
    await finish(await take())
    await until(() => get() === undefined)
  })

  it('with its namespace goes without a cleanup, since nothing can be queued there', async () => {
    const { user, take, finish, until, logged } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take())
    await user.delete({ group: '', resource: 'namespaces' }, { name: 'dev' })
    await until(() => user.get({ group: '', resource: 'namespaces' }, { name: 'dev' }) === undefined)
    expect(logged).toContainEqual(expect.stringContaining('goes with its namespace'))
  })
})
