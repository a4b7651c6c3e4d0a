import { MemoryStore } from '@homeostat/store'
import { testColony } from '@homeostat/testing/colony'
import { describe, expect, it } from 'vitest'
import { callsOf, names, startColony } from './colony-calls.ts'

describe('time', () => {
  it('fails what nobody took, and retries what took too long until its tries are used up', async () => {
    const { submit, register, assign, process, clock } = await startColony()
    await submit('waits', { maxWaitSeconds: 1, conditions: { executorType: 'none' } })
    clock.advance(1000)
    await expect.poll(() => process('waits')?.status.phase).toBe('Failed')
    expect(process('waits')?.status.errors).toEqual(['Maximum waiting time limit exceeded'])
    await register('e1')
    await submit('slow', { maxExecSeconds: 1, maxRetries: 2 })
    for (const attempt of [1, 2, 3]) {
      await expect.poll(async () => names(await assign('e1'))).toEqual(['slow'])
      expect(process('slow')?.status.attempt).toBe(attempt)
      clock.advance(1000)
      await expect.poll(() => process('slow')?.status.phase).not.toBe('Running')
      clock.advance(10_000)
    }
    expect(process('slow')?.status).toMatchObject({
      phase: 'Failed',
      errors: ['Maximum execution time limit exceeded'],
    })
  })

  it('brings a failed attempt back after a pause, and a requeued one when it asked to', async () => {
    const { submit, register, assign, process, clock } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    await assign('e1', { finished: [{ process: 'a', attempt: 1, result: 'Failed', errors: ['no luck'] }] })
    expect(process('a')?.status).toMatchObject({ phase: 'Waiting', errors: ['no luck'], retries: 1 })
    expect(names(await assign('e1'))).toEqual([])
    const poll = assign('e1', {}, 30)
    await expect.poll(() => clock.timers).toBeGreaterThanOrEqual(2)
    clock.advance(1000)
    expect(names(await poll)).toEqual(['a'])
    await assign('e1', { finished: [{ process: 'a', attempt: 2, result: 'Succeeded', requeueAfter: 60 }] })
    clock.advance(59_000)
    expect(names(await assign('e1'))).toEqual([])
    clock.advance(1000)
    expect(names(await assign('e1'))).toEqual(['a'])
    await assign('e1', {
      finished: [{ process: 'a', attempt: 3, result: 'Failed', retryable: false, errors: ['never'] }],
    })
    expect(process('a')?.status.phase).toBe('Failed')
  })

  it('deletes what has been kept long enough, with its log', async () => {
    const { submit, register, assign, process, clock, send } = await startColony()
    await register('e1')
    await submit('a', { ttlSecondsAfterFinished: 60 })
    await assign('e1')
    expect((await send('POST', '/processes/a/log?executor=e1&attempt=1', 'hello\n')).status).toBe(200)
    await assign('e1', { finished: [{ process: 'a', attempt: 1, result: 'Succeeded' }] })
    expect((await send('GET', '/processes/a/log')).body).toBe('hello\n')
    clock.advance(59_000)
    expect(process('a')).toBeDefined()
    clock.advance(1000)
    await expect.poll(() => process('a')).toBeUndefined()
  })
})

describe('an executor that falls silent', () => {
  it('is Lost after 30 s, what it held is given to another, and it may come back', async () => {
    const { submit, register, assign, heartbeat, process, colony, clock } = await startColony()
    const phase = async (name: string) =>
      (await colony.client.resourceOf('colonies.io/v1', 'Executor').get({ name, namespace: 'dev' })) as unknown as {
        status?: { phase?: string }
      }
    await register('e1')
    await register('e2')
    await submit('a')
    await assign('e1')
    await expect.poll(async () => (await phase('e1')).status?.phase).toBe('Online')
    clock.advance(20_000)
    await heartbeat('e1', [{ process: 'a', attempt: 1 }])
    clock.advance(29_000)
    expect(process('a')?.status.phase).toBe('Running')
    clock.advance(1000)
    await expect.poll(() => process('a')?.status.phase).toBe('Waiting')
    await expect.poll(async () => (await phase('e1')).status?.phase).toBe('Lost')
    clock.advance(1000)
    expect(names(await assign('e2'))).toEqual(['a'])
    const late = await heartbeat('e1', [{ process: 'a', attempt: 1 }])
    expect(late.body.lost).toEqual([{ process: 'a', attempt: 1 }])
    await expect.poll(async () => (await phase('e1')).status?.phase).toBe('Online')
  })

  it('writes one Lease at once, and again every ten seconds at most, within a second', async () => {
    const { register, heartbeat, colony, clock } = await startColony()
    await register('e1')
    const lease = async () => {
      const found = await colony.client
        .resourceOf('coordination.k8s.io/v1', 'Lease')
        .find({ name: 'executor-e1', namespace: 'dev' })
      return found?.metadata.resourceVersion
    }
    await heartbeat('e1')
    await expect.poll(lease).toBeDefined()
    const first = await lease()
    clock.advance(5000)
    await heartbeat('e1')
    clock.advance(4000)
    expect(await lease()).toBe(first)
    clock.advance(1000)
    await heartbeat('e1')
    expect(await lease()).toBe(first)
    clock.advance(1000)
    await expect.poll(lease).not.toBe(first)
  })

  it('loses what it does not mention in two heartbeats: the response never arrived', async () => {
    const { submit, register, assign, heartbeat, process, clock } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    clock.advance(10_000)
    await heartbeat('e1')
    expect(process('a')?.status.phase).toBe('Running')
    clock.advance(10_000)
    await heartbeat('e1')
    expect(process('a')?.status).toMatchObject({ phase: 'Waiting', attempt: 1 })
    expect(process('a')?.status.retries ?? 0).toBe(0)
  })

  it('that is deleted gives back what it held at once', async () => {
    const { submit, register, assign, process, colony } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    await colony.client.resourceOf('colonies.io/v1', 'Executor').delete({ name: 'e1', namespace: 'dev' })
    await expect.poll(() => process('a')?.status.phase).toBe('Waiting')
  })
})

describe('a cancel', () => {
  it('ends what waits at once', async () => {
    const { submit, patch, process } = await startColony()
    await submit('a')
    await patch('/processes/a', { spec: { cancel: true } })
    await expect.poll(() => process('a')?.status.phase).toBe('Cancelled')
  })

  it('reaches the executor in its long poll, once, and waits for its word', async () => {
    const { submit, register, assign, patch, process, clock } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    const timers = clock.timers
    const poll = assign('e1', {}, 30)
    await expect.poll(() => clock.timers).toBeGreaterThan(timers)
    await patch('/processes/a', { spec: { cancel: true } })
    expect((await poll).body.cancelled).toEqual([{ process: 'a', attempt: 1 }])
    expect(process('a')?.status.phase).toBe('Running')
    await assign('e1', { max: 0, finished: [{ process: 'a', attempt: 1, result: 'Cancelled' }] })
    expect(process('a')?.status.phase).toBe('Cancelled')
  })

  it('is carried out after 30 s without a word', async () => {
    const { submit, register, assign, heartbeat, patch, process, clock } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    await patch('/processes/a', { spec: { cancel: true } })
    expect((await heartbeat('e1', [{ process: 'a', attempt: 1 }])).body.cancelled).toHaveLength(1)
    clock.advance(29_000)
    await heartbeat('e1', [{ process: 'a', attempt: 1 }])
    expect(process('a')?.status.phase).toBe('Running')
    clock.advance(1000)
    await expect.poll(() => process('a')?.status.phase).toBe('Cancelled')
  })
})

describe('a concurrency key', () => {
  it('lets one run at a time, also after a restart', async () => {
    const store = new MemoryStore()
    const first = await testColony({ store })
    const before = callsOf(first, 'dev')
    await before.register('e1')
    await before.submit('a', { concurrencyKey: 'k' })
    await before.submit('b', { concurrencyKey: 'k' })
    expect(names(await before.assign('e1', { max: 5 }))).toEqual(['a'])
    await first.close()
    const second = await testColony({ store })
    const { assign } = callsOf(second, 'dev')
    expect(names(await assign('e1', { max: 5 }))).toEqual([])
    const next = await assign('e1', { finished: [{ process: 'a', attempt: 1, result: 'Succeeded' }] }, 5)
    expect(names(next)).toEqual(['b'])
    await second.close()
    await store.close()
  })
})

describe('a log', () => {
  it('is written by the holder alone', async () => {
    const { submit, register, assign, send } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    const write = (query: string) => send('POST', `/processes/a/log${query}`, 'x\n')
    expect((await write('')).status).toBe(400)
    expect((await write('?executor=e2&attempt=1')).status).toBe(409)
    expect((await write('?executor=e1&attempt=2')).status).toBe(409)
    expect((await write('?executor=e1&attempt=1')).status).toBe(200)
    expect((await send('GET', '/processes/b/log')).status).toBe(404)
    expect((await send('GET', '/processes/a/log?tailLines=-1')).status).toBe(422)
  })
})
