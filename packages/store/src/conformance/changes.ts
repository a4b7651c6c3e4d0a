// The change stream: in order, each once, none skipped; history and then live, also after reopening.

import { expect } from 'vitest'
import type { Change } from '../contract.ts'
import type { MakeStore } from './harness.ts'
import {
  arraysOf,
  changesUntil,
  collect,
  committed,
  nextChanges,
  note,
  remove,
  revisionsOf,
  set,
  text,
  value,
} from './harness.ts'
import { itWithStore } from './with-store.ts'

export function changesSuite(make: MakeStore): void {
  itWithStore(make, 'gives each change with its value, the previous entry and the note', async (store) => {
    const start = await store.revision()
    const first = await set(store, 'a', 'one')
    const second = await set(store, 'a', 'two')
    const gone = await remove(store, 'a')
    const expected = [
      { revision: first.revision, key: 'a', op: 'put', value: 'one', previous: undefined, note },
      { revision: second.revision, key: 'a', op: 'put', value: 'two', previous: [first.revision, 'one'], note },
      { revision: gone, key: 'a', op: 'delete', value: undefined, previous: [second.revision, 'two'], note },
    ]
    expect((await changesUntil(store, start, gone)).map(plain)).toEqual(expected)
    expect((await changesUntil(store, first.revision, gone)).map(plain)).toEqual(expected.slice(1))
  })

  itWithStore(make, 'gives live changes as it gives those of the past', async (store) => {
    const start = await store.revision()
    const live = nextChanges(store, start, 3)
    await set(store, 'a', 'one')
    await set(store, 'a', 'two')
    const gone = await remove(store, 'a')
    expect((await live).map(plain)).toEqual((await changesUntil(store, start, gone)).map(plain))
  })

  itWithStore(make, 'skips nothing and repeats nothing between history and live', async (store) => {
    const start = await store.revision()
    const readers: Promise<Change[]>[] = []
    const writes: Promise<number>[] = []
    for (let i = 0; i < 300; i++) {
      writes.push(committed(store.put(`k${i}`, value(`${i}`), undefined, note)))
      if (i % 20 === 0) {
        readers.push(nextChanges(store, start, 300))
        await writes.at(-1)
      }
    }
    const all = (await Promise.all(writes)).sort((a, b) => a - b)
    for (const reader of readers) expect(revisionsOf(await reader)).toEqual(all)
  })

  itWithStore(make, 'resumes after any revision', async (store) => {
    const revisions = [await store.revision()]
    for (let i = 0; i < 40; i++) revisions.push((await set(store, `k${i % 7}`, `${i}`)).revision)
    const last = revisions.at(-1) ?? 0
    for (const index of [0, 1, 17, 39]) {
      const changes = await changesUntil(store, revisions[index] ?? 0, last)
      expect(revisionsOf(changes)).toEqual(revisions.slice(index + 1))
    }
  })

  itWithStore(
    make,
    'hands over in one array what was committed together, live and later',
    async (store, { commitsOneByOne }) => {
      const start = await store.revision()
      const live = arraysOf(store, start, 1500)
      const written: number[] = []
      for (let round = 0; round < 5; round++) {
        const writes = Array.from({ length: 300 }, (_, i) =>
          committed(store.put(`k${round}-${i}`, value('x'), undefined, note)),
        )
        written.push(...(await Promise.all(writes)))
      }
      const batches = (await live).map(revisionsOf)
      const later = (await arraysOf(store, start, 1500)).map((changes) => new Set(revisionsOf(changes)))
      expect(batches.flat()).toEqual(written.sort((a, b) => a - b))
      if (commitsOneByOne) return
      for (const batch of batches)
        expect(later.some((array) => batch.every((revision) => array.has(revision)))).toBe(true)
    },
  )

  itWithStore(make, 'lets a slow follower catch up without loss', async (store) => {
    const stop = new AbortController()
    const slow = store.changes(await store.revision(), stop.signal)[Symbol.asyncIterator]()
    const seen: number[] = []
    const pull = async () => {
      const { value: changes } = await slow.next()
      for (const change of changes ?? []) seen.push(change.revision)
    }
    const written = [(await set(store, 'a', 'one')).revision]
    await pull()
    const many = 15_000
    for (let i = 0; i < many; i += 1000) {
      const writes = Array.from({ length: 1000 }, (_, j) =>
        committed(store.put(`k${i + j}`, value('x'), undefined, note)),
      )
      written.push(...(await Promise.all(writes)))
    }
    while (seen.length < many + 1) await pull()
    stop.abort()
    expect(seen).toEqual(written.sort((a, b) => a - b))
  })

  itWithStore(make, 'refuses to start in the future', async (store) => {
    const { revision } = await set(store, 'a', 'one')
    const stream = store.changes(revision + 1, new AbortController().signal)
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'FutureRevisionError' })
  })

  itWithStore(make, 'ends when its signal aborts, also while it waits', async (store) => {
    const start = await store.revision()
    const stop = new AbortController()
    const waiting = collect(store.changes(start, stop.signal))
    await set(store, 'a', 'one')
    stop.abort()
    expect((await waiting).flat().length).toBeLessThanOrEqual(1)
    expect(await collect(store.changes(start, AbortSignal.abort()))).toEqual([])
  })

  itWithStore(make, 'goes on across a restart as if nothing had been', async (store, under) => {
    if (under.reopen === undefined) return
    const start = await store.revision()
    const revisions: number[] = []
    for (let i = 0; i < 30; i++) revisions.push((await set(store, `k${i % 4}`, `${i}`)).revision)
    const last = await remove(store, 'k1')
    const before = (await changesUntil(store, start, last)).map(plain)
    const again = await under.reopen()
    expect(await again.revision()).toBe(last)
    const live = nextChanges(again, revisions[11] ?? 0, 21)
    const back = await set(again, 'k1', 'back')
    const more = await set(again, 'k2', 'more')
    expect((await changesUntil(again, start, last)).slice(0, 31).map(plain)).toEqual(before)
    expect(revisionsOf(await live)).toEqual([...revisions.slice(12), last, back.revision, more.revision])
  })
}

function plain(change: Change): unknown {
  const previous = change.previous === undefined ? undefined : [change.previous.revision, text(change.previous.value)]
  return { ...change, value: text(change.value), previous }
}
