// The horizon: what can be asked above it, what is refused below it, and what survives.

import { expect } from 'vitest'
import type { MakeStore } from './harness.ts'
import { changesUntil, pages, remove, set, text } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function compactionSuite(make: MakeStore): void {
  itWithStore(make, 'answers Compacted below the horizon and serves from it on', async (store) => {
    for (let i = 0; i < 10; i++) await set(store, `k${i % 3}`, `${i}`)
    await store.compact(6)
    expect(await store.horizon()).toBe(6)
    const stale = store.changes(5, new AbortController().signal)[Symbol.asyncIterator]()
    await expect(stale.next()).rejects.toMatchObject({ name: 'CompactedError', horizon: 6 })
    await expect(store.range('', { limit: 1, revision: 5 })).rejects.toMatchObject({
      name: 'CompactedError',
      horizon: 6,
    })
    expect(await Promise.all([5, 6, 7].map((revision) => store.keptFrom(revision)))).toEqual([6, 6, 7])
    expect((await changesUntil(store, 6, 10)).map((change) => change.revision)).toEqual([7, 8, 9, 10])
    const at = await store.range('', { limit: 9, revision: 6 })
    expect(at.entries.map((entry) => [entry.key, text(entry.value)])).toEqual([
      ['k0', '3'],
      ['k1', '4'],
      ['k2', '5'],
    ])
  })

  itWithStore(make, 'still knows the previous value of every change above the horizon', async (store) => {
    const first = await set(store, 'a', 'one')
    await set(store, 'b', 'filler')
    await store.compact(2)
    await set(store, 'a', 'two')
    const [change] = await changesUntil(store, 2, 3)
    expect(change?.previous?.revision).toBe(first.revision)
    expect(text(change?.previous?.value)).toBe('one')
  })

  itWithStore(make, 'keeps the current state whatever is compacted', async (store) => {
    for (let i = 0; i < 30; i++) await set(store, `k${i % 5}`, `${i}`)
    await remove(store, 'k3')
    await store.compact(await store.revision())
    const entries = await pages(store, '', 2)
    expect(entries.map((entry) => [entry.key, text(entry.value)])).toEqual([
      ['k0', '25'],
      ['k1', '26'],
      ['k2', '27'],
      ['k4', '29'],
    ])
    expect(await store.get('k3')).toBeUndefined()
    expect(await store.revision()).toBe(31)
    expect((await set(store, 'k3', 'back')).revision).toBe(32)
  })

  itWithStore(make, 'never lowers the horizon and refuses one in the future', async (store) => {
    for (let i = 0; i < 5; i++) await set(store, 'a', `${i}`)
    await store.compact(4)
    await store.compact(2)
    expect(await store.horizon()).toBe(4)
    await expect(store.compact(6)).rejects.toMatchObject({ name: 'FutureRevisionError', current: 5 })
  })

  itWithStore(make, 'remembers horizon and revision across a restart', async (store, under) => {
    if (under.reopen === undefined) return
    await set(store, 'a', 'one')
    await remove(store, 'a')
    await store.compact(2)
    const again = await under.reopen()
    expect(await again.horizon()).toBe(2)
    expect(await again.revision()).toBe(2)
    expect((await set(again, 'b', 'x')).revision).toBe(3)
  })

  itWithStore(make, 'compacts while writes and followers go on', async (store) => {
    const follower = changesUntil(store, 0, 400)
    const compactions: Promise<void>[] = []
    for (let i = 0; i < 400; i++) {
      const { revision } = await set(store, `k${i % 9}`, `${i}`)
      if (revision % 50 === 0) compactions.push(store.compact(revision - 10))
    }
    await Promise.all(compactions)
    expect((await follower).map((change) => change.revision)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1))
    expect(await store.horizon()).toBe(390)
    expect((await pages(store, '', 100)).map((entry) => text(entry.value))).toEqual(
      Array.from({ length: 9 }, (_, key) => `${399 - ((399 - key) % 9)}`),
    )
  })
}
