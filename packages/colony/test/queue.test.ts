import { describe, expect, it } from 'vitest'
import { names, startColony } from './colony-calls.ts'

describe('a Process', () => {
  it('begins Waiting, whatever its client says, and names may be used once', async () => {
    const { submit, process } = await startColony()
    expect((await submit('a', { maxWaitSeconds: 10 })).status).toBe(201)
    expect(process('a')?.status).toEqual({
      phase: 'Waiting',
      attempt: 0,
      submittedAt: '2026-01-01T00:00:00.000000Z',
      waitDeadline: '2026-01-01T00:00:10.000Z',
    })
    expect((await submit('a')).status).toBe(409)
  })

  it('can be cancelled and reordered by its client, and not be changed otherwise', async () => {
    const { submit, patch } = await startColony()
    await submit('a')
    expect((await patch('/processes/a', { spec: { priority: 7 } })).status).toBe(200)
    const refused = await patch('/processes/a', { spec: { funcName: 'g' } })
    expect(refused).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
    expect(refused.body.message).toContain('spec.funcName')
    expect((await patch('/processes/a', { spec: { cancel: true } })).status).toBe(200)
    expect((await patch('/processes/a', { spec: { cancel: false } })).status).toBe(422)
  })

  it('is refused with a function of no name, an unknown field or a priority out of range', async () => {
    const { submit } = await startColony()
    expect((await submit('a', { funcName: '' })).status).toBe(422)
    expect((await submit('b', { conditions: {} })).status).toBe(422)
    expect((await submit('c', { priority: 50_001 })).status).toBe(422)
    expect((await submit('d', { conditions: { executorType: 'ml', cpu: 'lots' } })).status).toBe(422)
  })
})

describe('an assign', () => {
  it('gives the oldest first, a higher priority before that, and nothing twice', async () => {
    const { submit, register, assign, clock } = await startColony()
    await register('e1')
    await register('e2')
    for (const name of ['a', 'b', 'c']) await submit(name)
    clock.advance(1000)
    await submit('urgent', { priority: 1 })
    expect(names(await assign('e1', { max: 2 }))).toEqual(['urgent', 'a'])
    expect(names(await assign('e2', { max: 5 }))).toEqual(['b', 'c'])
    expect(names(await assign('e1'))).toEqual([])
  })

  it('goes by type, function, name, place and what is free', async () => {
    const { submit, register, assign } = await startColony()
    await register('plain')
    await register('other', { type: 'web' })
    await register('north', { location: 'North', functions: ['f'], capabilities: { cpu: '2', memory: '1Gi' } })
    await submit('by-name', { conditions: { executorType: 'ml', executorNames: ['north'] } })
    await submit('by-place', { conditions: { executorType: 'ml', location: 'north' } })
    await submit('by-function', { funcName: 'g' })
    await submit('by-software', { conditions: { executorType: 'ml', software: ['docker'] } })
    await register('handy', { capabilities: { software: [{ name: 'Docker', version: '26' }, 7] } })
    await register('bare', { capabilities: { software: [] } })
    expect(names(await assign('bare', { max: 1 }))).toEqual(['by-function'])
    expect(names(await assign('handy', { max: 9 }))).toEqual(['by-software'])
    await submit('by-function-2', { funcName: 'g' })
    await submit('large', { conditions: { executorType: 'ml', executorNames: ['north'], cpu: '4' } })
    expect(names(await assign('other', { max: 9 }))).toEqual([])
    expect(names(await assign('plain', { max: 9 }))).toEqual(['by-function-2'])
    expect(names(await assign('north', { max: 9, free: { cpu: '1500m' } }))).toEqual(['by-name', 'by-place'])
    expect(names(await assign('north', { max: 9, free: { cpu: '4' } }))).toEqual(['large'])
  })

  it('waits, and exactly one of those who wait is woken', async () => {
    const { submit, register, assign, clock } = await startColony()
    for (const name of ['e1', 'e2', 'e3']) await register(name)
    const polls = ['e1', 'e2', 'e3'].map((name) => assign(name, {}, 30))
    await expect.poll(() => clock.timers).toBeGreaterThanOrEqual(3)
    await submit('a')
    const [first, second, third] = polls
    expect(names(await (first as (typeof polls)[0]))).toEqual(['a'])
    clock.advance(30_000)
    expect(names(await (second as (typeof polls)[0]))).toEqual([])
    expect(names(await (third as (typeof polls)[0]))).toEqual([])
  })

  it('closes the last and takes the next in one call', async () => {
    const { submit, register, assign, process } = await startColony()
    await register('e1')
    await submit('a')
    await submit('b')
    await assign('e1')
    const next = await assign('e1', { finished: [{ process: 'a', attempt: 1, result: 'Succeeded', output: { x: 1 } }] })
    expect(names(next)).toEqual(['b'])
    expect(process('a')?.status).toMatchObject({ phase: 'Succeeded', output: { x: 1 }, executor: 'e1' })
    expect(process('a')?.status.conditions).toMatchObject([{ type: 'Complete', status: 'True' }])
  })

  it('of an executor that nobody registered is 404; a body that makes no sense is 400', async () => {
    const { register, assign, send } = await startColony()
    expect((await assign('nobody')).status).toBe(404)
    await register('e1')
    for (const body of [
      { max: -1 },
      { max: 101 },
      { finished: {} },
      { finished: [{ process: 'a', attempt: 1 }] },
      [],
    ]) {
      expect((await send('POST', '/executors/e1/assign?timeoutSeconds=0', body)).status).toBe(400)
    }
    expect((await send('POST', '/executors/e1/assign?timeoutSeconds=x', {})).status).toBe(400)
  })

  it('whose caller has gone gives back what it took', async () => {
    const { submit, register, assign, process, clock } = await startColony()
    await register('e1')
    const leaving = new AbortController()
    const poll = assign('e1', {}, 30, leaving.signal).catch(() => undefined)
    await expect.poll(() => clock.timers).toBeGreaterThanOrEqual(1)
    leaving.abort()
    await poll
    await submit('a')
    await register('e2')
    await expect.poll(async () => names(await assign('e2'))).toEqual(['a'])
    expect(process('a')?.status.executor).toBe('e2')
  })

  it('gives nothing of a colony that is paused, and goes on when it is resumed', async () => {
    const { submit, register, assign, colony } = await startColony()
    await register('e1')
    await submit('a')
    const namespace = colony.client.resourceOf('v1', 'Namespace')
    const pause = (value: string | null) =>
      namespace.patch({ name: 'dev' }, { metadata: { annotations: { 'colonies.io/paused': value } } })
    await pause('true')
    const poll = assign('e1', {}, 30)
    expect(names(await assign('e1'))).toEqual([])
    await pause(null)
    expect(names(await poll)).toEqual(['a'])
  })
})

describe('the fence', () => {
  it('refuses a close by another executor, of another attempt, and of what nobody runs', async () => {
    const { submit, register, assign, close, clock, process } = await startColony()
    await register('e1')
    await submit('a', { maxExecSeconds: 5 })
    const end = { attempt: 1, result: 'Succeeded' } as const
    expect((await close('a', { executor: 'e1', ...end })).status).toBe(409)
    await assign('e1')
    expect((await close('a', { executor: 'e2', ...end })).status).toBe(409)
    expect((await close('a', { executor: 'e1', ...end, attempt: 2 })).status).toBe(409)
    clock.advance(5000)
    await expect.poll(() => process('a')?.status.phase).toBe('Waiting')
    const late = await close('a', { executor: 'e1', ...end })
    expect(late.status).toBe(409)
    expect((await close('nothing', { executor: 'e1', ...end })).status).toBe(404)
  })

  it('accepts the same close twice: its response may have been lost', async () => {
    const { submit, register, assign, close } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    const end = { executor: 'e1', attempt: 1, result: 'Succeeded' } as const
    expect((await close('a', end)).status).toBe(200)
    expect((await close('a', end)).status).toBe(200)
    expect((await close('a', { ...end, result: 'Failed' })).status).toBe(409)
  })

  it('in an assign names what was refused, closes the rest and assigns nothing', async () => {
    const { submit, register, assign, process } = await startColony()
    await register('e1')
    await submit('a')
    await submit('b')
    await submit('c')
    await assign('e1', { max: 2 })
    const ends = [
      { process: 'a', attempt: 9, result: 'Succeeded' } as const,
      { process: 'b', attempt: 1, result: 'Succeeded' } as const,
    ]
    const answer = await assign('e1', { finished: ends })
    expect(answer.status).toBe(409)
    expect(answer.body.details?.causes).toMatchObject([{ field: 'finished[0]' }])
    expect(process('b')?.status.phase).toBe('Succeeded')
    expect(process('c')?.status.phase).toBe('Waiting')
  })
})
