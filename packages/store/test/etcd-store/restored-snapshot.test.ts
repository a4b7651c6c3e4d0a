// A cluster that gets the data of a snapshot, as docs/adr/0047 says how, and one that somebody compacted by hand: the store opens,
// gives out no number twice, says what cannot be asked for, and goes on.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changesUntil, committed, note, remove, set, text, value } from '../../src/conformance/harness.ts'
import { isCompactedError, type Store } from '../../src/contract.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { saveSnapshot } from '../etcd/etcd-snapshot.ts'
import { base64, clusterForTests, opened } from './cluster.ts'

/** What the store holds, and that it can be read, written, followed and compacted from here on. */
async function goesOn(stores: readonly Store[], held: Record<string, string>): Promise<void> {
  for (const store of stores) {
    const { entries, revision } = await store.range('', { limit: 100 })
    expect(Object.fromEntries(entries.map((entry) => [entry.key, text(entry.value)]))).toEqual(held)
    expect(await store.horizon()).toBeLessThanOrEqual(revision)
    expect(revision).toBe(await store.revision())
  }
  const [store, other] = stores as [Store, Store]
  const from = await store.revision()
  const { revision } = await set(store, 'a', 'after')
  expect(revision).toBeGreaterThan(from)
  await committed(store.put('gone', value('again'), undefined, note))
  expect((await changesUntil(other, from, await other.revision())).map(({ key }) => key)).toEqual(['a', 'gone'])
  expect((await store.history('a')).map((change) => text(change.value)).slice(-1)).toEqual(['after'])
  await other.compact(revision)
  expect(await other.horizon()).toBe(revision)
  await set(store, 'a', 'compacted')
  expect((await other.history('a')).map((change) => text(change.value)).slice(-2)).toEqual(['after', 'compacted'])
}

describe.skipIf(etcdMissing() !== undefined)('three members that were restored from a snapshot', () => {
  const tests = clusterForTests({ members: 3 })

  it('end the servers that knew more, and serve those that start again, under new numbers', async () => {
    const options = { ...tests.fresh(), requestTimeoutMs: 1000 }
    const before = await opened(options)
    for (const content of ['one', 'two']) await set(before, 'a', content)
    await set(before, 'gone', 'x')
    await remove(before, 'gone')
    const [member] = tests.cluster.members
    const file = join(tests.cluster.folder, 'snapshot.db')
    const known = await before.revision()
    await saveSnapshot(member?.clientUrl ?? '', file)
    const lost = await set(before, 'a', 'lost')
    await tests.cluster.restore(file)
    await expect
      .poll(() => before.health())
      .toMatchObject({ writable: false, reason: expect.stringContaining('start') })
    // Whoever opens the stream again must not take it for a failure that passes.
    for (const previous of [true, false]) {
      const stream = before.changes(known, new AbortController().signal, { previous })[Symbol.asyncIterator]()
      const failure = await stream.next().catch((error) => error)
      expect(isCompactedError(failure)).toBe(true)
    }
    const stores = [await opened(options), await opened(options)]
    for (const store of stores) {
      expect(await store.revision()).toBeGreaterThan(lost.revision + 1e8)
      for (const revision of [known, lost.revision]) {
        const failure = await changesUntil(store, revision, revision + 1).catch((error) => error)
        expect(isCompactedError(failure)).toBe(true)
      }
    }
    await goesOn(stores, { a: 'two' })
  })
})

describe.skipIf(etcdMissing() !== undefined)('a member that somebody compacted by hand', () => {
  const tests = clusterForTests({ members: 1 })

  it('serves a store that starts then, and one whose own compaction comes later', async () => {
    const options = tests.fresh()
    const running = await opened(options)
    await set(running, 'a', 'one')
    await set(running, 'gone', 'x')
    await remove(running, 'gone')
    const { header } = await tests.cluster.call('/v3/kv/range', { key: base64('k') })
    for (let i = 0; i < 200; i++) await tests.cluster.call('/v3/kv/put', { key: base64('other'), value: base64('x') })
    await tests.cluster.call('/v3/kv/compaction', { revision: Number(header.revision) + 150 })
    const next = await opened(options)
    // A server that runs gives out numbers above the horizon from the next change on, which a heartbeat is within a second.
    await set(next, 'b', 'beat')
    await expect.poll(() => running.horizon()).toBe(await next.horizon())
    await goesOn([next, running], { a: 'one', b: 'beat' })
  })
})
