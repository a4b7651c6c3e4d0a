import { ManualClock, silentLog } from '@homeostat/base'
import type { KubeObject, OwnerReference } from '@homeostat/meta'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GarbageCollector } from './garbage-collector.ts'
import { configMap, type MemoryApi, memoryApi, namespace } from './memory-api.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const CONFIG_MAPS = { group: '', resource: 'configmaps' }
const SECRETS = { group: '', resource: 'secrets' }
const failures: object[] = []

let server: MemoryApi
let collector: GarbageCollector
let ending: AbortController
let running: Promise<void>

beforeEach(async () => {
  failures.length = 0
  server = await memoryApi()
  await server.api.create(NAMESPACES, namespace('n'))
})
afterEach(async () => {
  await stop()
  await server.close()
  expect(failures).toEqual([])
})

/** The clock stands still: every reconcile is caused by a change, never by a timer. */
function start(): void {
  ending = new AbortController()
  const log = { ...silentLog, error: (fields: object) => failures.push(fields) }
  collector = new GarbageCollector({ ...server, log, clock: new ManualClock(Date.now()) })
  running = collector.start(ending.signal)
}

async function stop(): Promise<void> {
  ending.abort()
  await running
}

const make = (name: string, metadata: object = {}) => server.api.create(CONFIG_MAPS, configMap('n', name, metadata))
const find = (name: string) => server.api.get(CONFIG_MAPS, { namespace: 'n', name })
const gone = (name: string) => server.until(CONFIG_MAPS, () => find(name) === undefined)

function ownedBy({ apiVersion, kind, metadata }: KubeObject, block = false): OwnerReference {
  const { name = '', uid = '' } = metadata
  return { apiVersion, kind, name, uid, blockOwnerDeletion: block }
}

describe('the garbage collector', () => {
  it('finds at start the objects that lost their owners while it was down', async () => {
    const owner = await make('owner')
    await make('lost', { ownerReferences: [ownedBy(owner)] })
    const shared = await make('shared', { ownerReferences: [ownedBy(owner), ownedBy(await make('other'))] })
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'owner' })
    start()
    await gone('lost')
    await server.until(CONFIG_MAPS, () => find('shared')?.metadata.ownerReferences?.length === 1)
    expect(shared.metadata.ownerReferences).toHaveLength(2)
  })

  it('finishes at its start what a foreground deletion and an orphaning have begun', async () => {
    const [waits, lets] = [await make('waits'), await make('lets')]
    await make('blocking', { ownerReferences: [ownedBy(waits, true)] })
    await make('orphan', { ownerReferences: [ownedBy(lets, true)] })
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'waits' }, { propagationPolicy: 'Foreground' })
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'lets' }, { propagationPolicy: 'Orphan' })
    start()
    await Promise.all(['waits', 'blocking', 'lets'].map(gone))
    expect(find('orphan')?.metadata.ownerReferences).toBeUndefined()
  })

  it('knows only what has owners, parses nothing else, and writes nothing when nothing is lost', async () => {
    const owner = await make('owner')
    for (let i = 0; i < 200; i++) await make(`plain-${i}`, { annotations: { a: '"ownerReferences":[{"uid":"x"}]' } })
    for (let i = 0; i < 20; i++) await make(`owned-${i}`, { ownerReferences: [ownedBy(owner)] })
    const revision = server.revision()
    const parse = vi.spyOn(JSON, 'parse')
    start()
    await expect.poll(() => collector.size).toBe(20)
    await make('one-more', { ownerReferences: [ownedBy(owner)] })
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'plain-0' })
    const parsed = parse.mock.calls.filter(([text]) => text.includes('"plain-'))
    parse.mockRestore()
    // The deletion itself reads the object.
    expect(parsed.length).toBeLessThanOrEqual(1)
    expect(collector.size).toBe(21)
    expect(server.revision()).toBe(revision + 2)
  })

  it('forgets what is gone or has no owners any more', async () => {
    start()
    const owner = await make('owner')
    await make('a', { ownerReferences: [ownedBy(owner)] })
    await make('b', { ownerReferences: [ownedBy(owner)] })
    expect(collector.size).toBe(2)
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'a' })
    await server.api.change(CONFIG_MAPS, { namespace: 'n', name: 'b' }, ({ metadata }) => {
      delete metadata.ownerReferences
    })
    expect(collector.size).toBe(0)
  })

  it('lets an owner go when the last that blocks it says that it does not', async () => {
    start()
    const owner = await make('owner')
    const hold = { finalizers: ['example.com/hold'] }
    const reference = ownedBy(owner, true)
    await make('a', { ...hold, ownerReferences: [reference] })
    await make('b', { ...hold, ownerReferences: [reference] })
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'owner' }, { propagationPolicy: 'Foreground' })
    await server.until(CONFIG_MAPS, () => find('b')?.metadata.deletionTimestamp)
    for (const name of ['a', 'b']) {
      expect(find('owner')).toBeDefined()
      await server.api.change(CONFIG_MAPS, { namespace: 'n', name }, ({ metadata }) => {
        if (name === 'a') metadata.ownerReferences = [{ ...reference, blockOwnerDeletion: false }]
        else delete metadata.ownerReferences
      })
    }
    await gone('owner')
  })

  it('takes a thousand dependents with their owner', async () => {
    start()
    const owner = await make('owner')
    const secret = { apiVersion: 'v1', kind: 'Secret' }
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        server.api.create(SECRETS, {
          ...secret,
          metadata: { namespace: 'n', name: `s${i}`, ownerReferences: [ownedBy(owner, true)] },
        }),
      ),
    )
    await server.api.delete(CONFIG_MAPS, { namespace: 'n', name: 'owner' }, { propagationPolicy: 'Foreground' })
    await gone('owner')
    expect(server.api.count(SECRETS)).toBe(0)
    expect(collector.size).toBe(0)
  })
})
