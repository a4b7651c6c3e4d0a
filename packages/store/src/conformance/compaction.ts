// The horizon: what can be asked above it, what is refused below it, and what survives.

import { expect } from 'vitest'
import type { Store } from '../contract.ts'
import type { MakeStore } from './harness.ts'
import { changesUntil, nextChanges, pages, remove, revisionsOf, set, text } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function compactionSuite(make: MakeStore): void {
  itWithStore(make, 'answers Compacted below the horizon and serves from it on', async (store) => {
    const revisions = await setEach(store, 10, 3)
    const [below = 0, horizon = 0, above = 0] = revisions.slice(4, 7)
    await store.compact(horizon)
    expect(await store.horizon()).toBe(horizon)
    const stale = store.changes(below, new AbortController().signal)[Symbol.asyncIterator]()
    await expect(stale.next()).rejects.toMatchObject({ name: 'CompactedError', horizon })
    await expect(store.range('', { limit: 1, revision: below })).rejects.toMatchObject({
      name: 'CompactedError',
      horizon,
    })
    expect(await Promise.all([below, horizon, above].map((revision) => store.keptFrom(revision)))).toEqual([
      horizon,
      horizon,
      above,
    ])
    expect(revisionsOf(await changesUntil(store, horizon, revisions[9] ?? 0))).toEqual(revisions.slice(6))
    const at = await store.range('', { limit: 9, revision: horizon })
    expect(at.entries.map((entry) => [entry.key, text(entry.value)])).toEqual([
      ['k0', '3'],
      ['k1', '4'],
      ['k2', '5'],
    ])
  })

  itWithStore(make, 'still knows the previous value of every change above the horizon', async (store) => {
    const first = await set(store, 'a', 'one')
    const { revision } = await set(store, 'b', 'filler')
    await store.compact(revision)
    await set(store, 'a', 'two')
    const [change] = await nextChanges(store, revision, 1)
    expect(change?.previous?.revision).toBe(first.revision)
    expect(text(change?.previous?.value)).toBe('one')
  })

  itWithStore(make, 'keeps the current state whatever is compacted', async (store) => {
    await setEach(store, 30, 5)
    const newest = await remove(store, 'k3')
    await store.compact(newest)
    const entries = await pages(store, '', 2)
    expect(entries.map((entry) => [entry.key, text(entry.value)])).toEqual([
      ['k0', '25'],
      ['k1', '26'],
      ['k2', '27'],
      ['k4', '29'],
    ])
    expect(await store.get('k3')).toBeUndefined()
    expect(await store.revision()).toBe(newest)
    expect((await set(store, 'k3', 'back')).revision).toBeGreaterThan(newest)
  })

  itWithStore(make, 'never lowers the horizon and refuses one in the future', async (store) => {
    const [, second = 0, , fourth = 0, newest = 0] = await setEach(store, 5, 1)
    await store.compact(fourth)
    await store.compact(second)
    expect(await store.horizon()).toBe(fourth)
    await expect(store.compact(newest + 1)).rejects.toMatchObject({ name: 'FutureRevisionError', current: newest })
  })

  itWithStore(make, 'remembers horizon and revision across a restart', async (store, under) => {
    if (under.reopen === undefined) return
    await set(store, 'a', 'one')
    const newest = await remove(store, 'a')
    await store.compact(newest)
    const again = await under.reopen()
    expect(await again.horizon()).toBe(newest)
    expect(await again.revision()).toBe(newest)
    expect((await set(again, 'b', 'x')).revision).toBeGreaterThan(newest)
  })

  itWithStore(make, 'compacts while writes and followers go on', async (store) => {
    const follower = nextChanges(store, await store.revision(), 400)
    const compactions: Promise<void>[] = []
    const revisions: number[] = []
    for (let i = 0; i < 400; i++) {
      revisions.push((await set(store, `k${i % 9}`, `${i}`)).revision)
      if (i % 50 === 49) compactions.push(store.compact(revisions[i - 10] ?? 0))
    }
    await Promise.all(compactions)
    expect(revisionsOf(await follower)).toEqual(revisions)
    expect(await store.horizon()).toBe(revisions[389])
    expect((await pages(store, '', 100)).map((entry) => text(entry.value))).toEqual(
      Array.from({ length: 9 }, (_, key) => `${399 - ((399 - key) % 9)}`),
    )
  })
}

/** Writes so many numbers to so many keys in turn, and answers the revisions. */
async function setEach(store: Store, count: number, keys: number): Promise<number[]> {
  const revisions: number[] = []
  for (let i = 0; i < count; i++) revisions.push((await set(store, `k${i % keys}`, `${i}`)).revision)
  return revisions
}
