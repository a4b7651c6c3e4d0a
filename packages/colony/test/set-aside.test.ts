// A Process that was stored damaged, by an older version or past the API: the queue goes on without it.

import { ManualClock } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { encodeObject } from '@homeostat/meta/server'
import { MemoryStore } from '@homeostat/store'
import { testColony } from '@homeostat/testing/colony'
import { expect, it, onTestFinished } from 'vitest'
import { callsOf, names, startColony } from './colony-calls.ts'
import { conditionOf } from './server.fixture.ts'

const NOTE = { time: 0, user: 'past the API', manager: 'past the API' }
const SPEC = { funcName: 'f', conditions: { executorType: 'ml' } }
const EVENTS = { group: '', resource: 'events' }

function stored(store: MemoryStore, name: string, parts: object, resource = 'processes', kind = 'Process') {
  const metadata = {
    name,
    namespace: 'dev',
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  const object = { apiVersion: 'colonies.io/v1', kind, metadata, ...parts } as KubeObject
  return store.put(`colonies.io/${resource}/dev/${name}`, encodeObject(object), undefined, NOTE)
}

async function onStore(store: MemoryStore) {
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'))
  const colony = await testColony({ store, clock })
  onTestFinished(async () => {
    await colony.close()
    await store.close()
  })
  const calls = callsOf(colony, 'dev')
  const processOf = (name: string) => calls.process(name) as unknown as KubeObject | undefined
  const aside = (name: string) => conditionOf(processOf(name), 'SetAside')
  const events = () =>
    colony.api.list(EVENTS, 'dev') as unknown as { regarding?: KubeObject; note?: string; reason: string }[]
  return { ...calls, colony, clock, aside, events }
}

it('is set aside by the assign that meets it, with a condition and an Event; the next Process is handed out', async () => {
  const store = new MemoryStore()
  // It fits every executor of its type, and its status is none.
  await stored(store, 'broken', { spec: { conditions: { executorType: 'ml' }, funcName: 'f' } })
  await stored(store, 'whole', {
    spec: SPEC,
    status: { phase: 'Waiting', submittedAt: '2026-01-02T00:00:00Z', attempt: 0 },
  })
  const { register, assign, aside, events, clock } = await onStore(store)
  await register('e1')
  expect(names(await assign('e1', {}, 5))).toEqual(['whole'])
  await expect.poll(() => aside('broken')).toMatchObject({ status: 'True', reason: 'CannotBeHandled' })
  await expect
    .poll(() => {
      clock.advance(1)
      return events().map(({ reason }) => reason)
    })
    .toContain('CannotBeHandled')
  // It is not looked at again.
  expect(names(await assign('e1'))).toEqual([])
})

it('that time meets is set aside as well, and not tried again every second', async () => {
  const store = new MemoryStore()
  const status = { phase: 'Running', executor: 'gone', attempt: 1, execDeadline: '2026-01-01T00:00:01Z' }
  await stored(store, 'late', { spec: null, status })
  await stored(store, 'lost', { status: { ...status, execDeadline: '2027-01-01T00:00:01Z' } })
  const { aside, clock, submit, register, assign } = await onStore(store)
  clock.advance(1000)
  await expect.poll(() => aside('late')).toMatchObject({ status: 'True' })
  clock.advance(30_000)
  await expect.poll(() => aside('lost')).toMatchObject({ status: 'True' })
  await register('e1')
  await submit('next')
  expect(names(await assign('e1'))).toEqual(['next'])
})

it('that its executor closes is refused for that one alone', async () => {
  const store = new MemoryStore()
  await stored(store, 'held', { status: { phase: 'Running', executor: 'e1', attempt: 1 } })
  const { register, submit, assign, close, aside, process } = await onStore(store)
  await register('e1')
  await submit('other')
  expect(names(await assign('e1'))).toEqual(['other'])
  const ends = ['held', 'other'].map((name) => ({ process: name, attempt: 1, result: 'Failed' as const }))
  const { status, body } = await assign('e1', { max: 0, finished: ends })
  expect(status).toBe(409)
  expect(body.details?.causes).toMatchObject([{ field: 'finished[0]' }])
  expect(process('other')?.status.retries).toBe(1)
  expect(aside('held')).toMatchObject({ status: 'True' })
  expect((await close('held', { executor: 'e1', attempt: 1, result: 'Failed' })).status).toBe(409)
})

it('comes back into the queue when it is mended', async () => {
  const store = new MemoryStore()
  await stored(store, 'broken', { spec: SPEC })
  const { register, assign, aside, patch } = await onStore(store)
  await register('e1')
  expect(names(await assign('e1'))).toEqual([])
  await expect.poll(() => aside('broken')).toBeDefined()
  const status = { phase: 'Waiting', attempt: 0, submittedAt: '2026-01-01T00:00:00Z', conditions: null }
  expect((await patch('/processes/broken/status', { status })).status).toBe(200)
  expect(names(await assign('e1', {}, 5))).toEqual(['broken'])
})

it('one Executor that cannot be understood does not keep the colony from starting', async () => {
  const store = new MemoryStore()
  await stored(store, 'odd', { spec: null }, 'executors', 'Executor')
  await stored(store, 'strange', { metadata: { name: 'strange', namespace: 'dev' }, spec: 7, status: 'none' })
  const { register, submit, assign } = await onStore(store)
  await register('e1')
  await submit('a')
  expect(names(await assign('e1'))).toEqual(['a'])
})

it('a status that an old client left in any shape is read as far as it can be', async () => {
  const { submit, patch, register, assign } = await startColony()
  await register('e1')
  await submit('a')
  expect((await patch('/processes/a/status', { status: { phase: 'Odd', attempt: 3 } })).status).toBe(200)
  expect(names(await assign('e1'))).toEqual(['a'])
})
