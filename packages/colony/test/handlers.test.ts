import { RESOURCE_LABELS } from '@homeostat/executor/protocol'
import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { DATABASES, database, definitionOf, handledColony, PROCESSES } from './handled.fixture.ts'
import { conditionOf } from './server.fixture.ts'

const setSpec = (spec: object) => (object: KubeObject) => {
  object.spec = spec
}

describe('a resource with a handler', () => {
  it('gets a Process that carries it, before anybody is there to take it', async () => {
    const { user, untilWaiting, get, untilCondition } = await handledColony()
    const made = await user.create(DATABASES, database('orders', { labels: { app: 'shop' } }))
    const { metadata, spec } = await untilWaiting()
    expect(metadata.name).toMatch(new RegExp(`^orders-${made.metadata.uid?.slice(0, 8)}-[a-z0-9]{5}$`))
    expect(metadata.labels).toEqual({
      [RESOURCE_LABELS.kind]: 'Database',
      [RESOURCE_LABELS.name]: 'orders',
      [RESOURCE_LABELS.uid]: made.metadata.uid,
      [RESOURCE_LABELS.generation]: '1',
    })
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Database', name: 'orders', uid: made.metadata.uid }])
    expect(spec).toMatchObject({
      funcName: 'reconcile_database',
      label: 'Database/orders',
      maxRetries: -1,
      concurrencyKey: made.metadata.uid,
      conditions: { executorType: 'db' },
      ttlSecondsAfterFinished: 3600,
      kwargs: {
        apiVersion: 'storage.colonies.io/v1',
        kind: 'Database',
        metadata: { name: 'orders', namespace: 'dev', generation: 1, labels: { app: 'shop' } },
        spec: { engine: 'postgres' },
        blueprintName: 'orders',
      },
    })
    expect(spec.kwargs).not.toHaveProperty('metadata.managedFields')
    expect(get()?.metadata.finalizers).toEqual(['colonies.io/handler'])
    await untilCondition('Progressing', 'True/Reconciling')
  })

  it('says what its executor said of it, and is at rest afterwards', async () => {
    const { user, take, finish, get, untilCondition, colony, waiting } = await handledColony()
    await user.create(DATABASES, database())
    const process = await take()
    expect(process.metadata.annotations?.['colonies.io/cause']).toBe('change')
    const status = { phase: 'Running', endpoint: 'db:5432', conditions: [{ type: 'Backup', status: 'True' }] }
    expect((await finish(process, { status })).status).toBe(200)
    await untilCondition('Progressing', 'False/Reconciled')
    expect(get()?.status).toMatchObject({ phase: 'Running', endpoint: 'db:5432', observedGeneration: 1 })
    expect(conditionOf(get(), 'Ready')).toMatchObject({ status: 'True', reason: 'Reconciled', observedGeneration: 1 })
    expect(conditionOf(get(), 'Backup')).toMatchObject({ status: 'True', lastTransitionTime: expect.any(String) })
    const managers = get()?.metadata.managedFields?.map((entry) => (entry as { manager: string }).manager)
    expect(managers).toEqual(expect.arrayContaining(['colonies.io/executor', 'colonies.io/colony']))
    // Said again, by an executor that did not hear the answer, it changes nothing.
    const before = colony.api.object(DATABASES, { namespace: 'dev', name: 'orders' })?.revision
    expect((await finish(process, { status })).status).toBe(200)
    expect(colony.api.object(DATABASES, { namespace: 'dev', name: 'orders' })?.revision).toBe(before)
    expect(waiting()).toEqual([])
  })

  it('loses what its executor no longer says, and keeps what others say', async () => {
    const { user, take, finish, get, change, untilCondition } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take(), { status: { phase: 'Creating', progress: 10 } })
    await user.change(
      DATABASES,
      { namespace: 'dev', name: 'orders' },
      (object) => {
        object.status = { ...(object.status as object), note: 'mine' }
      },
      { subresource: 'status' },
    )
    await change(setSpec({ engine: 'mysql' }))
    await finish(await take(), { status: { phase: 'Running' } })
    await untilCondition('Progressing', 'False/Reconciled')
    expect(get()?.status).toMatchObject({ phase: 'Running', note: 'mine', observedGeneration: 2 })
    expect(get()?.status).not.toHaveProperty('progress')
  })

  it('has the Ready that its executor gives it', async () => {
    const { user, take, finish, get, untilCondition, change } = await handledColony()
    await user.create(DATABASES, database())
    const ready = { type: 'Ready', status: 'False', reason: 'Starting', message: '1 of 3' }
    await finish(await take(), { status: { conditions: [ready] } })
    await untilCondition('Progressing', 'False/Reconciled')
    expect(conditionOf(get(), 'Ready')).toMatchObject(ready)
    // One that fails takes it over, and one that says nothing of it gives it back.
    await change(setSpec({ engine: 'mysql' }))
    await finish(await take(), { result: 'Failed', errors: ['no disk'], retryable: false })
    expect(await untilCondition('Ready', 'False/Failed')).toMatchObject({ message: 'no disk' })
    await change(setSpec({ engine: 'sqlite' }))
    await finish(await take(), { status: {} })
    await untilCondition('Ready', 'True/Reconciled')
  })

  it('is refreshed in the queue while it waits, and queued anew while it runs', async () => {
    const { user, untilWaiting, take, finish, change, untilCondition, waiting } = await handledColony()
    await user.create(DATABASES, database())
    const first = await untilWaiting()
    await change(setSpec({ engine: 'mysql' }))
    const second = await untilWaiting(({ spec }) => JSON.stringify(spec.kwargs).includes('mysql'))
    expect(second.metadata).toMatchObject({ name: first.metadata.name, labels: { [RESOURCE_LABELS.generation]: '2' } })
    const running = await take()
    await change(setSpec({ engine: 'sqlite' }))
    const third = await untilWaiting()
    expect(third.metadata.name).not.toBe(first.metadata.name)
    // It does not run beside the other.
    await finish(running, { status: { phase: 'Old' } })
    const next = await take()
    expect(next.metadata.name).toBe(third.metadata.name)
    expect(next.spec.kwargs).toMatchObject({ spec: { engine: 'sqlite' } })
    await finish(next)
    await untilCondition('Progressing', 'False/Reconciled')
    expect(waiting()).toEqual([])
  })

  it('takes changed labels along without a run for them', async () => {
    const { user, untilWaiting, take, finish, change, until, get, waiting, untilCondition } = await handledColony()
    await user.create(DATABASES, database())
    await untilWaiting()
    await change(({ metadata }) => {
      metadata.labels = { tier: 'gold' }
    })
    await untilWaiting(({ spec }) => JSON.stringify(spec.kwargs).includes('gold'))
    await finish(await take())
    await untilCondition('Progressing', 'False/Reconciled')
    await change(({ metadata }) => {
      metadata.labels = { tier: 'silver' }
    })
    await until(() => get()?.metadata.labels?.tier === 'silver')
    expect(waiting()).toEqual([])
  })
})

describe('a run that fails', () => {
  it('is tried again after a pause, and at once when the resource changes', async () => {
    const { user, take, finish, untilCondition, untilWaiting, change, clock } = await handledColony()
    await user.create(DATABASES, database())
    const process = await take()
    await finish(process, { result: 'Failed', errors: ['no disk', 'more'] })
    expect(await untilCondition('Ready', 'False/Failed')).toMatchObject({ message: 'no disk' })
    await untilCondition('Progressing', 'True/Retrying')
    const waits = await untilWaiting()
    expect(Date.parse(waits.status.notBefore ?? '')).toBeGreaterThan(clock.now())
    expect(waits.metadata.name).toBe(process.metadata.name)
    await change(setSpec({ engine: 'mysql' }))
    const again = await take()
    expect(again.metadata.name).toBe(process.metadata.name)
    await finish(again)
    await untilCondition('Ready', 'True/Reconciled')
  })

  it('for good waits for a change', async () => {
    const { user, take, finish, untilCondition, waiting, get, change, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take(), { result: 'Failed', errors: ['bad engine'], retryable: false })
    await untilCondition('Progressing', 'False/Failed')
    expect(get()?.status).toMatchObject({ observedGeneration: 1 })
    expect(waiting()).toEqual([])
    await change(setSpec({ engine: 'mysql' }))
    await untilWaiting()
  })

  it('leaves one Process alone that waits, the newer one', async () => {
    const { user, take, finish, change, untilWaiting, processes, until } = await handledColony()
    await user.create(DATABASES, database())
    const running = await take()
    await change(setSpec({ engine: 'mysql' }))
    const newer = await untilWaiting()
    await finish(running, { result: 'Failed', errors: ['late'] })
    await until(() => processes().length === 1)
    expect(processes()[0]?.metadata.name).toBe(newer.metadata.name)
  })

  it('since its executor was lost leaves the newer one alone that waits', async () => {
    const { user, take, change, untilWaiting, processes, until, clock } = await handledColony()
    await user.create(DATABASES, database())
    await take()
    await change(setSpec({ engine: 'mysql' }))
    const newer = await untilWaiting()
    clock.advance(60_000)
    await until(() => processes().length === 1)
    expect(processes()[0]?.metadata.name).toBe(newer.metadata.name)
  })

  it('is one whose status has a wrong shape', async () => {
    const { user, take, finish, untilCondition, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take(), { status: { conditions: 'Ready' } })
    expect(await untilCondition('Ready', 'False/InvalidStatus')).toMatchObject({
      message: expect.stringContaining('status.conditions'),
    })
    expect((await untilWaiting()).status.errors).toEqual([expect.stringContaining('status.conditions')])
  })
})

it('a Process that somebody else made says nothing about a resource', async () => {
  const { user, take, finish, get, processes, untilCondition, until } = await handledColony()
  await user.create(DATABASES, database())
  const own = await take()
  await finish(own, { status: { phase: 'Running' } })
  await untilCondition('Ready', 'True/Reconciled')
  const { labels = {}, ownerReferences = [] } = own.metadata
  const metadata = { name: 'forged', namespace: 'dev', labels: { ...labels }, ownerReferences }
  const forged = await user.create(PROCESSES, {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata,
    spec: own.spec,
  })
  expect(forged.metadata.labels ?? {}).toEqual({})
  const label = ({ metadata: forgery }: KubeObject) => {
    forgery.labels = { ...labels }
  }
  await expect(user.change(PROCESSES, { namespace: 'dev', name: 'forged' }, label)).rejects.toThrow('the colony made')
  await finish(await take(), { status: { phase: 'Broken' } })
  await until(() => processes().every(({ status }) => status.phase === 'Succeeded'))
  expect(get()?.status).toMatchObject({ phase: 'Running' })
})

it('a resource that is too large for a Process says so', async () => {
  const { user, untilCondition, waiting } = await handledColony()
  await user.create(DATABASES, database('orders', {}, { data: 'x'.repeat(1 << 20) }))
  await untilCondition('Progressing', 'False/TooLarge')
  expect(waiting()).toEqual([])
})

it('a resource without a namespace has its Processes in default', async () => {
  const definition = definitionOf('Zone', { scope: 'Cluster' })
  const { user, until } = await handledColony([definition])
  const zone = { apiVersion: 'storage.colonies.io/v1', kind: 'Zone', metadata: { name: 'north' }, spec: {} }
  await user.create({ group: 'storage.colonies.io', resource: 'zones' }, zone)
  await until(() => user.list({ group: 'colonies.io', resource: 'processes' }, 'default').length === 1)
})
