// Conditional writes: what commits, what conflicts, and what an answer carries.

import { expect } from 'vitest'
import type { MakeStore } from './harness.ts'
import { committed, note, remove, set, text, value } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function writesSuite(make: MakeStore): void {
  itWithStore(make, 'creates a key that is absent and gives it a revision', async (store) => {
    const before = await store.revision()
    const revision = await committed(store.put('a', value('one'), undefined, note))
    expect(revision).toBeGreaterThan(before)
    expect(await store.revision()).toBe(revision)
    const entry = await store.get('a')
    expect(entry).toMatchObject({ key: 'a', revision })
    expect(text(entry?.value)).toBe('one')
    expect(entry?.value).toMatchObject({ gap: 1, metaEnd: 3 })
  })

  itWithStore(make, 'refuses to create a key that exists and answers its current entry', async (store) => {
    const { revision } = await set(store, 'a', 'one')
    const result = await store.put('a', value('two'), undefined, note)
    expect(result).toMatchObject({ type: 'conflict', current: { key: 'a', revision } })
    expect(result.type === 'conflict' && text(result.current?.value)).toBe('one')
    expect(await store.revision()).toBe(revision)
  })

  itWithStore(make, 'replaces a key that still holds what was expected', async (store) => {
    const first = await set(store, 'a', 'one')
    const revision = await committed(store.put('a', value('two'), first, note))
    expect(revision).toBeGreaterThan(first.revision)
    expect(text((await store.get('a'))?.value)).toBe('two')
  })

  itWithStore(make, 'refuses to replace or delete a key that has moved on', async (store) => {
    const first = await set(store, 'a', 'one')
    const second = await set(store, 'a', 'two')
    for (const result of [await store.put('a', value('x'), first, note), await store.delete('a', first, note)]) {
      expect(result).toMatchObject({ type: 'conflict', current: { revision: second.revision } })
      expect(result.type === 'conflict' && text(result.current?.value)).toBe('two')
    }
  })

  itWithStore(make, 'deletes a key, after which it is absent and can be created again', async (store) => {
    const first = await set(store, 'a', 'one')
    const deleted = await committed(store.delete('a', first, note))
    expect(deleted).toBeGreaterThan(first.revision)
    expect(await store.get('a')).toBeUndefined()
    const again = await committed(store.put('a', value('two'), undefined, note))
    expect(again).toBeGreaterThan(deleted)
    expect(text((await store.get('a'))?.value)).toBe('two')
  })

  itWithStore(make, 'answers a conflict without an entry when the expected key is gone', async (store) => {
    const first = await set(store, 'a', 'one')
    await remove(store, 'a')
    expect(await store.put('a', value('x'), first, note)).toEqual({ type: 'conflict', current: undefined })
    expect(await store.delete('a', first, note)).toEqual({ type: 'conflict', current: undefined })
    const never = { key: 'never', revision: first.revision, value: value('x') }
    expect(await store.put('never', value('x'), never, note)).toEqual({ type: 'conflict', current: undefined })
  })

  itWithStore(make, 'lets exactly one of many writers of the same state win', async (store) => {
    const first = await set(store, 'a', 'one')
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.put('a', value(`writer ${i}`), first, note)),
    )
    const winners = results.filter((result) => result.type === 'committed')
    expect(winners).toHaveLength(1)
    const winner = winners[0]?.type === 'committed' ? winners[0].revision : 0
    for (const result of results) {
      if (result.type !== 'committed') expect(result).toMatchObject({ type: 'conflict', current: { revision: winner } })
    }
  })

  itWithStore(make, 'gives every commit its own, rising revision', async (store) => {
    const revisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => committed(store.put(`k${i}`, value(`${i}`), undefined, note))),
    )
    expect(new Set(revisions).size).toBe(200)
    expect(await store.revision()).toBe(Math.max(...revisions))
    const next = await committed(store.put('later', value('x'), undefined, note))
    expect(next).toBeGreaterThan(Math.max(...revisions))
  })

  itWithStore(make, 'keeps empty, binary and large values as they are', async (store) => {
    const binary = Uint8Array.from({ length: 256 }, (_, i) => i)
    const large = Buffer.alloc(Math.min(3_000_000, store.maxValueBytes), 'homeostat')
    for (const [key, bytes] of Object.entries({ empty: new Uint8Array(0), binary, large })) {
      await committed(store.put(key, { bytes, gap: 0, metaEnd: bytes.length }, undefined, note))
      const entry = await store.get(key)
      expect(Buffer.from(entry?.value?.bytes ?? []).equals(bytes)).toBe(true)
      expect(entry?.value).toMatchObject({ gap: 0, metaEnd: bytes.length })
    }
  })

  itWithStore(make, 'takes a value as long as it says, and none that is longer', async (store) => {
    const { maxValueBytes } = store
    // A limit too large to allocate in a test is not tried.
    if (maxValueBytes > 64 << 20) return
    const revision = await committed(store.put('a', value('x'.repeat(maxValueBytes)), undefined, note))
    const longer = value('x'.repeat(maxValueBytes + 1))
    expect(await store.put('b', longer, undefined, note)).toMatchObject({ type: 'failed' })
    expect(await store.revision()).toBe(revision)
  })

  itWithStore(make, 'counts what it committed', async (store) => {
    await set(store, 'a', 'one')
    await set(store, 'a', 'two')
    const stats = store.stats()
    expect(stats.writes).toBe(2)
    expect(stats.commits).toBeGreaterThan(0)
    expect(stats.failedCommits).toBe(0)
    expect(stats.pendingWrites).toBe(0)
  })
}
