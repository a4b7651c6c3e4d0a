// The change stream: in order, each once, none skipped; history and then live, also after reopening.

import { expect } from 'vitest'
import type { Change } from '../contract.ts'
import type { MakeStore } from './harness.ts'
import { arraysUntil, changesUntil, collect, committed, note, remove, set, text, value } from './harness.ts'
import { itWithStore } from './with-store.ts'

export function changesSuite(make: MakeStore): void {
  itWithStore(make, 'gives each change with its value, the previous entry and the note', async (store) => {
    const first = await set(store, 'a', 'one')
    const second = await set(store, 'a', 'two')
    const gone = await remove(store, 'a')
    const expected = [
      { revision: first.revision, key: 'a', op: 'put', value: 'one', previous: undefined, note },
      { revision: second.revision, key: 'a', op: 'put', value: 'two', previous: [first.revision, 'one'], note },
      { revision: gone, key: 'a', op: 'delete', value: undefined, previous: [second.revision, 'two'], note },
    ]
    expect((await changesUntil(store, 0, gone)).map(plain)).toEqual(expected)
    expect((await changesUntil(store, first.revision, gone)).map(plain)).toEqual(expected.slice(1))
  })

  itWithStore(make, 'gives live changes as it gives those of the past', async (store) => {
    const live = changesUntil(store, 0, 3)
    const first = await set(store, 'a', 'one')
    await set(store, 'a', 'two')
    const gone = await remove(store, 'a')
    expect(first.revision).toBe(1)
    expect((await live).map(plain)).toEqual((await changesUntil(store, 0, gone)).map(plain))
  })

  itWithStore(make, 'skips nothing and repeats nothing between history and live', async (store) => {
    const readers: Promise<Change[]>[] = []
    const writes: Promise<number>[] = []
    for (let i = 0; i < 300; i++) {
      writes.push(committed(store.put(`k${i}`, value(`${i}`), undefined, note)))
      if (i % 20 === 0) {
        readers.push(changesUntil(store, 0, 300))
        await writes.at(-1)
      }
    }
    await Promise.all(writes)
    const all = Array.from({ length: 300 }, (_, i) => i + 1)
    for (const reader of readers) expect((await reader).map((change) => change.revision)).toEqual(all)
  })

  itWithStore(make, 'resumes after any revision', async (store) => {
    for (let i = 0; i < 40; i++) await set(store, `k${i % 7}`, `${i}`)
    for (const after of [0, 1, 17, 39]) {
      const revisions = (await changesUntil(store, after, 40)).map((change) => change.revision)
      expect(revisions).toEqual(Array.from({ length: 40 - after }, (_, i) => after + i + 1))
    }
  })

  itWithStore(make, 'hands over in one array what was committed together, live and later', async (store) => {
    const live = arraysUntil(store, 0, 1500)
    for (let round = 0; round < 5; round++) {
      const writes = Array.from({ length: 300 }, (_, i) => store.put(`k${round}-${i}`, value('x'), undefined, note))
      await Promise.all(writes)
    }
    const together = (await live).map((changes) => changes.map((change) => change.revision))
    const later = (await arraysUntil(store, 0, 1500)).map(
      (changes) => new Set(changes.map((change) => change.revision)),
    )
    expect(together.flat()).toEqual(Array.from({ length: 1500 }, (_, i) => i + 1))
    for (const group of together)
      expect(later.some((array) => group.every((revision) => array.has(revision)))).toBe(true)
  })

  itWithStore(make, 'lets a slow follower catch up without loss', async (store) => {
    const stop = new AbortController()
    const slow = store.changes(0, stop.signal)[Symbol.asyncIterator]()
    const seen: number[] = []
    const pull = async () => {
      const { value: changes } = await slow.next()
      for (const change of changes ?? []) seen.push(change.revision)
    }
    await set(store, 'a', 'one')
    await pull()
    const many = 15_000
    for (let i = 0; i < many; i += 1000) {
      await Promise.all(
        Array.from({ length: 1000 }, (_, j) => committed(store.put(`k${i + j}`, value('x'), undefined, note))),
      )
    }
    while (seen.length < many + 1) await pull()
    stop.abort()
    expect(seen).toEqual(Array.from({ length: many + 1 }, (_, i) => i + 1))
  })

  itWithStore(make, 'refuses to start in the future', async (store) => {
    const { revision } = await set(store, 'a', 'one')
    const stream = store.changes(revision + 1, new AbortController().signal)
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'FutureRevisionError' })
  })

  itWithStore(make, 'ends when its signal aborts, also while it waits', async (store) => {
    const stop = new AbortController()
    const waiting = collect(store.changes(0, stop.signal))
    await set(store, 'a', 'one')
    stop.abort()
    expect((await waiting).flat().length).toBeLessThanOrEqual(1)
    expect(await collect(store.changes(0, AbortSignal.abort()))).toEqual([])
  })

  itWithStore(make, 'goes on across a restart as if nothing had been', async (store, under) => {
    if (under.reopen === undefined) return
    for (let i = 0; i < 30; i++) await set(store, `k${i % 4}`, `${i}`)
    await remove(store, 'k1')
    const before = (await changesUntil(store, 0, 31)).map(plain)
    const again = await under.reopen()
    expect(await again.revision()).toBe(31)
    const live = changesUntil(again, 12, 33)
    await set(again, 'k1', 'back')
    await set(again, 'k2', 'more')
    expect((await changesUntil(again, 0, 31)).slice(0, 31).map(plain)).toEqual(before)
    expect((await live).map((change) => change.revision)).toEqual(Array.from({ length: 21 }, (_, i) => i + 13))
  })
}

function plain(change: Change): unknown {
  const previous = change.previous === undefined ? undefined : [change.previous.revision, text(change.previous.value)]
  return { ...change, value: text(change.value), previous }
}
