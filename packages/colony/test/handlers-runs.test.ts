import { describe, expect, it } from 'vitest'
import { DATABASES, database, definitionOf, handledColony, PROCESSES } from './handled.fixture.ts'

describe('a run that is cancelled', () => {
  it('makes room for the next', async () => {
    const { user, take, finish, untilWaiting, clock } = await handledColony()
    await user.create(DATABASES, database())
    const process = await take()
    await user.change(PROCESSES, { namespace: 'dev', name: process.metadata.name ?? '' }, ({ spec }) => {
      Object.assign(spec as object, { cancel: true })
    })
    clock.advance(1)
    await finish(process, { result: 'Cancelled' })
    const next = await untilWaiting()
    expect(next.metadata.name).not.toBe(process.metadata.name)
  })

  it('by its executor alone is one that failed', async () => {
    const { user, take, finish, untilCondition } = await handledColony()
    await user.create(DATABASES, database())
    const { body } = await finish(await take(), { result: 'Cancelled' })
    expect(body.status).toMatchObject({ phase: 'Waiting', retries: 1 })
    await untilCondition('Ready', 'False/Cancelled')
  })
})

describe('a run without a change', () => {
  it('is what somebody asks for, now, and by force', async () => {
    const { user, take, finish, change, get, untilCondition, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take())
    await untilCondition('Progressing', 'False/Reconciled')
    await change(({ metadata }) => {
      metadata.annotations = { 'colonies.io/reconcile': 'force-17' }
    })
    const process = await untilWaiting()
    expect(process.spec.kwargs).toMatchObject({ force: true })
    expect(process.metadata.annotations).toEqual({
      'colonies.io/cause': 'request',
      'colonies.io/reconcile': 'force-17',
    })
    await finish(await take())
    expect(get()?.metadata.annotations ?? {}).toEqual({})
  })

  it('comes with the interval, and leaves no trace when it changes nothing', async () => {
    const handler = { executorType: 'db', functionName: 'f', reconcileInterval: 30 }
    const colony = await handledColony([definitionOf('Database', { handler })])
    const { user, take, finish, clock, untilWaiting, until, processes, untilCondition } = colony
    await user.create(DATABASES, database())
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', reason: 'Up', message: '' }] }
    await finish(await take(), { status })
    await untilCondition('Progressing', 'False/Reconciled')
    await until(() => clock.timers > 0)
    const before = colony.colony.api.object(DATABASES, { namespace: 'dev', name: 'orders' })?.revision
    clock.advance(30_000)
    const periodic = await untilWaiting()
    expect(periodic.metadata.annotations?.['colonies.io/cause']).toBe('interval')
    // An executor that gives the time of now for a condition that did not change says nothing new.
    const now = new Date(clock.now()).toISOString()
    const timed = { ...status, conditions: [{ ...status.conditions[0], lastTransitionTime: now }] }
    expect((await finish(await take(), { status: timed })).status).toBe(200)
    await until(() => processes().every(({ metadata }) => metadata.name !== periodic.metadata.name))
    expect(colony.colony.api.object(DATABASES, { namespace: 'dev', name: 'orders' })?.revision).toBe(before)
    // One that found something is kept.
    clock.advance(30_000)
    const second = await untilWaiting()
    await finish(await take(), { status: { phase: 'Repaired' } })
    expect(processes().map(({ metadata }) => metadata.name)).toContain(second.metadata.name)
  })

  it('may be asked for by the executor', async () => {
    const { user, take, finish, clock, untilCondition, processes } = await handledColony()
    await user.create(DATABASES, database())
    const first = await take()
    await finish(first, { requeueAfter: 60, status: { phase: 'Starting' } })
    await untilCondition('Ready', 'True/Reconciled')
    clock.advance(60_000)
    const second = await take()
    expect(second.metadata.name).toBe(first.metadata.name)
    expect(first.spec.kwargs).not.toHaveProperty('status.phase')
    expect(second.spec.kwargs).toMatchObject({ status: { phase: 'Starting', observedGeneration: 1 } })
    await finish(second)
    expect(processes()).toHaveLength(1)
  })

  it('sees in its resource what others wrote to the status while it waited, and nothing where that is empty', async () => {
    const { user, take, finish, clock, untilCondition, untilWaiting } = await handledColony()
    await user.create(DATABASES, database())
    await finish(await take(), { result: 'Failed', errors: ['no disk'] })
    await untilCondition('Ready', 'False/Failed')
    const setStatus = (status: object | undefined) =>
      user.change(
        DATABASES,
        { namespace: 'dev', name: 'orders' },
        (object) => {
          object.status = status
        },
        { subresource: 'status' },
      )
    await setStatus({ note: 'the disk is back' })
    await untilWaiting()
    clock.advance(600_000)
    const second = await take()
    expect(second.spec.kwargs).toMatchObject({ spec: { engine: 'postgres' }, status: { note: 'the disk is back' } })
    await finish(second, { result: 'Failed', errors: ['no disk'] })
    await setStatus(undefined)
    clock.advance(600_000)
    expect((await take()).spec.kwargs).not.toHaveProperty('status')
  })
})
