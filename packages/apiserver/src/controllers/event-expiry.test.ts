import { ManualClock, silentLog } from '@homeostat/base'
import { MemoryStore, type WriteOutcome } from '@homeostat/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EventExpiry } from './event-expiry.ts'
import { type MemoryApi, memoryApi, namespace } from './memory-api.ts'

const EVENTS = { group: '', resource: 'events' }
const MINUTE = 60_000

const log = {
  ...silentLog,
  error: (fields: object) => {
    throw new Error(JSON.stringify(fields))
  },
}

let clock: ManualClock
let server: MemoryApi
let ending: AbortController
let running: Promise<void>

beforeEach(async () => {
  clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
  await begin(new MemoryStore())
  await server.api.create({ group: '', resource: 'namespaces' }, namespace('n'))
})
afterEach(end)

async function begin(store: MemoryStore, to = log): Promise<void> {
  ending = new AbortController()
  server = await memoryApi(store, () => clock.now())
  running = new EventExpiry({ api: server.api, log: to, clock, ttlMs: 60 * MINUTE }).start(ending.signal)
}

async function end(): Promise<void> {
  ending.abort()
  await running
  await server.close()
}

function event(name: string) {
  const involvedObject = { kind: 'Pod', namespace: 'n', name: 'p' }
  return { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'n' }, involvedObject, reason: 'R' }
}

const names = () => server.api.names(EVENTS, 'n', 1000).map(({ name }) => name)

/** Advances the clock in small steps, so that everything that waits for a time in between runs. */
async function pass(minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    clock.advance(MINUTE)
    await settled()
  }
}

/** A sweep takes a few ticks of the event loop and no timer. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}

describe('events', () => {
  it('go an hour after they were last written, whenever they were created', async () => {
    await server.api.create(EVENTS, event('old'))
    await server.api.create(EVENTS, event('busy'))
    await pass(30)
    await server.api.create(EVENTS, event('young'))
    await server.api.change(EVENTS, { namespace: 'n', name: 'busy' }, (object) => {
      object.count = 2
    })
    await pass(29)
    expect(names()).toEqual(['busy', 'old', 'young'])
    await pass(3)
    await expect.poll(names).toEqual(['busy', 'young'])
    await pass(30)
    await expect.poll(names).toEqual([])
  })

  it('go soon after, when the store did not take a deletion in time', async () => {
    class BrokenStore extends MemoryStore {
      failures = 0
      override async delete(...write: Parameters<MemoryStore['delete']>): Promise<WriteOutcome> {
        if (this.failures++ === 0) return { type: 'failed', error: new Error('no leader') }
        return super.delete(...write)
      }
    }
    await end()
    const logged: string[] = []
    const store = new BrokenStore()
    await begin(store, { ...silentLog, error: (_: object, text: string) => logged.push(text) } as never)
    await server.api.create({ group: '', resource: 'namespaces' }, namespace('n'))
    for (const name of ['a', 'b']) await server.api.create(EVENTS, event(name))
    await pass(63)
    await expect.poll(names).toEqual([])
    expect(store.failures).toBe(3)
    expect(logged).toEqual(['events could not be expired; it is tried again'])
  })

  it('go in the time they have left after a restart, however many they are', async () => {
    for (let i = 0; i < 300; i++) await server.api.create(EVENTS, event(`e${i}`))
    await pass(40)
    await server.api.create(EVENTS, event('late'))
    const { store } = server
    await end()
    await begin(store as MemoryStore)
    await settled()
    expect(names()).toHaveLength(301)
    await pass(22)
    await expect.poll(names).toEqual(['late'])
  })
})
