// A Process that somebody waits for is stored as theirs, in one write; whatever comes of it, nobody waits in vain.

import { describe, expect, it } from 'vitest'
import { names, startColony } from './colony-calls.ts'

const PROCESSES = { group: 'colonies.io', resource: 'processes' }

/** Executors that wait for as long as it takes, and the states of Processes as they are committed. */
async function waitingFor(...executors: string[]) {
  const colony = await startColony()
  const states: string[] = []
  colony.colony.api.follow(PROCESSES, ({ object }) => {
    const { metadata, status } = JSON.parse(String(object?.bytes ?? '{"metadata":{},"status":{}}'))
    states.push(`${metadata.name} ${status.phase} ${status.attempt} ${status.executor ?? '-'}`)
  })
  for (const name of executors) await colony.register(name)
  const polls = executors.map((name) => colony.assign(name, {}, 300))
  // Who still waits when a test ends is cut off.
  for (const poll of polls) poll.catch(() => {})
  await expect.poll(() => colony.colony.colony.waiting).toBe(executors.length)
  return { ...colony, polls, states }
}

describe('a Process that an executor waits for', () => {
  it('is stored as its own in one write, and both are notified', async () => {
    const { submit, polls, states } = await waitingFor('e1')
    const { body } = await submit('a', { maxExecSeconds: 60, maxWaitSeconds: 5 })
    expect(body.status).toEqual({
      phase: 'Running',
      submittedAt: '2026-01-01T00:00:00.000000Z',
      attempt: 1,
      executor: 'e1',
      startedAt: '2026-01-01T00:00:00.000Z',
      execDeadline: '2026-01-01T00:01:00.000Z',
    })
    const answers = await Promise.all(polls)
    expect(answers.map((answer) => answer.body.processes)).toEqual([[body]])
    expect(states).toEqual(['a Running 1 e1'])
  })

  it('goes to the one that has waited longest of those who can run it, and each is given one', async () => {
    const { submit, register, assign, colony, polls } = await waitingFor('e1', 'e2')
    await register('elsewhere', { type: 'other' })
    const other = assign('elsewhere', {}, 300)
    await expect.poll(() => colony.colony.waiting).toBe(3)
    await Promise.all([submit('a', { conditions: { executorType: 'ml', executorNames: ['e2'] } }), submit('b')])
    expect((await Promise.all(polls)).map(names)).toEqual([['b'], ['a']])
    await submit('c', { conditions: { executorType: 'other' } })
    expect(names(await other)).toEqual(['c'])
  })

  it.each([
    ['has a concurrency key', { concurrencyKey: 'k' }, ['a Waiting 0 -', 'a Running 1 e1']],
    ['is to be cancelled', { cancel: true }, ['a Waiting 0 -', 'a Cancelled 0 -']],
  ])('goes the long way when it %s', async (_, spec, expected) => {
    const { submit, states } = await waitingFor('e1')
    await submit('a', spec)
    await expect.poll(() => states).toEqual(expected)
  })

  it('waits while the queue is paused', async () => {
    const { submit, states, colony } = await waitingFor('e1')
    await colony.api.change({ group: '', resource: 'namespaces' }, { name: 'dev' }, ({ metadata }) => {
      metadata.annotations = { 'colonies.io/paused': 'true' }
    })
    await submit('a')
    expect(states).toEqual(['a Waiting 0 -'])
  })
})

describe('Processes that are submitted together', () => {
  it('travel in one response to an executor that has room for them', async () => {
    const { colony, register, assign, submit, states } = await waitingFor()
    await register('e1')
    const poll = assign('e1', { max: 3 }, 300)
    await expect.poll(() => colony.colony.waiting).toBe(1)
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => submit(name)))
    expect(names(await poll)).toEqual(['a', 'b', 'c'])
    expect(states).toEqual(['a Running 1 e1', 'b Running 1 e1', 'c Running 1 e1', 'd Waiting 0 -'])
  })

  it('are spread over those who wait, before one of them gets more', async () => {
    const { colony, register, assign, submit } = await waitingFor()
    for (const name of ['e1', 'e2']) await register(name)
    const polls = ['e1', 'e2'].map((name) => assign(name, { max: 5 }, 300))
    await expect.poll(() => colony.colony.waiting).toBe(2)
    await Promise.all(['a', 'b', 'c'].map((name) => submit(name)))
    expect((await Promise.all(polls)).map(names)).toEqual([['a', 'c'], ['b']])
  })

  it('are stored one by one for an executor with a limited capacity', async () => {
    const { colony, register, assign, submit, states } = await waitingFor()
    await register('e1', { capabilities: { cpu: '1' } })
    const poll = assign('e1', { max: 5 }, 300)
    await expect.poll(() => colony.colony.waiting).toBe(1)
    const conditions = { executorType: 'ml', cpu: '1' }
    await Promise.all([submit('a', { conditions }), submit('b', { conditions })])
    expect(names(await poll)).toEqual(['a'])
    expect(states).toEqual(['a Running 1 e1', 'b Waiting 0 -'])
  })
})

describe('a Process that is submitted while an executor closes its last', () => {
  it('is stored as its own in one write', async () => {
    const { register, assign, submit, states } = await waitingFor()
    await register('e1')
    await submit('a')
    await assign('e1')
    const finished = [{ process: 'a', attempt: 1, result: 'Succeeded' as const }]
    const [next] = await Promise.all([assign('e1', { finished }), submit('b')])
    expect(names(next)).toEqual(['b'])
    expect(states.filter((state) => state.startsWith('b'))).toEqual(['b Running 1 e1'])
  })

  it('goes back when the close is refused', async () => {
    const { register, assign, submit, process } = await waitingFor()
    await register('e1')
    await submit('a')
    await assign('e1')
    const finished = [{ process: 'a', attempt: 7, result: 'Succeeded' as const }]
    const [refused] = await Promise.all([assign('e1', { finished }), submit('b')])
    expect(refused.status).toBe(409)
    await expect.poll(() => process('b')?.status.phase).toBe('Waiting')
  })
})

describe('an executor that waits', () => {
  it('waits on when what it should have had was not stored, or only tried', async () => {
    const { submit, send, polls, colony } = await waitingFor('e1')
    const manifest = {
      apiVersion: 'colonies.io/v1',
      kind: 'Process',
      metadata: { name: 'tried' },
      spec: { funcName: 'f', conditions: { executorType: 'ml' } },
    }
    const tried = await send<{ status: object }>('POST', '/processes?dryRun=All', manifest)
    expect(tried.body.status).toMatchObject({ phase: 'Waiting' })
    expect((await submit('bad', { priority: 1e9 })).status).toBe(422)
    const output = 'x'.repeat(1_000_000)
    expect((await submit('large', { args: [output, output] })).status).toBe(413)
    await expect.poll(() => colony.colony.waiting).toBe(1)
    await submit('a')
    expect((await Promise.all(polls)).map(names)).toEqual([['a']])
  })

  it('and leaves before it is notified gives back what was stored as its own', async () => {
    const { register, assign, submit, process, colony } = await startColony()
    await register('e1')
    const leaving = new AbortController()
    const poll = assign('e1', {}, 300, leaving.signal)
    await expect.poll(() => colony.colony.waiting).toBe(1)
    const submitted = submit('a')
    leaving.abort()
    await expect(poll).rejects.toThrow()
    await submitted
    await expect.poll(() => process('a')?.status.phase).toBe('Waiting')
    expect(names(await assign('e1'))).toEqual(['a'])
  })
})
