// Ranges in byte order and in pages of one snapshot, older snapshots, and the history of a key.

import { expect } from 'vitest'
import type { MakeStore } from './harness.ts'
import { committed, note, pages, readWhole, remove, set, text, value } from './harness.ts'
import { itWithStore } from './with-store.ts'

/** In byte order. U+FFFD sorts before U+1F600 in bytes, but after it in UTF-16 units. */
const awkward = [
  'A',
  'Z',
  'a',
  'a/',
  'a/b',
  'a0',
  'z',
  '~',
  'é',
  'ÿ',
  'Ā',
  '日本',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '😀',
  '🚀',
]

export function readsSuite(make: MakeStore): void {
  itWithStore(make, 'answers an empty range for an empty store', async (store) => {
    const revision = await store.revision()
    expect(await store.range('', { limit: 10 })).toEqual({ entries: [], revision, more: false })
    expect(await readWhole(store)).toEqual({ entries: [], revision })
    expect(await store.get('a')).toBeUndefined()
    expect(await store.history('a')).toEqual([])
    expect(await store.horizon()).toBeLessThanOrEqual(revision)
  })

  itWithStore(make, 'lists keys in byte order, also those that are not ASCII', async (store) => {
    for (const key of [...awkward].reverse()) await set(store, key, key)
    for (const limit of [1, 3, 100]) {
      const entries = await pages(store, '', limit)
      expect(entries.map((entry) => entry.key)).toEqual(awkward)
      expect(entries.map((entry) => text(entry.value))).toEqual(awkward)
    }
  })

  itWithStore(make, 'keeps to the prefix, byte for byte', async (store) => {
    const keys = ['a', 'a/b', 'a/b/1', 'a/b/2', 'a/b/é', 'a/b/\u{10ffff}', 'a/b0', 'a/c', 'b']
    for (const key of keys) await set(store, key, key)
    const under = async (prefix: string) => (await pages(store, prefix, 2)).map((entry) => entry.key)
    expect(await under('a/b/')).toEqual(['a/b/1', 'a/b/2', 'a/b/é', 'a/b/\u{10ffff}'])
    expect(await under('a/b')).toEqual(['a/b', 'a/b/1', 'a/b/2', 'a/b/é', 'a/b/\u{10ffff}', 'a/b0'])
    expect(await under('c')).toEqual([])
    expect(await under('')).toEqual(keys)
  })

  itWithStore(make, 'starts after the given key, whether it exists or not', async (store) => {
    for (const key of ['a', 'c', 'e']) await set(store, key, key)
    const after = async (key: string) => (await store.range('', { after: key, limit: 9 })).entries.map((e) => e.key)
    expect(await after('')).toEqual(['a', 'c', 'e'])
    expect(await after('a')).toEqual(['c', 'e'])
    expect(await after('b')).toEqual(['c', 'e'])
    expect(await after('e')).toEqual([])
  })

  itWithStore(make, 'says whether there is more, and leaves deleted keys out of the count', async (store) => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) await set(store, key, key)
    await remove(store, 'b')
    await remove(store, 'e')
    const page = await store.range('', { limit: 2 })
    expect(page.entries.map((entry) => entry.key)).toEqual(['a', 'c'])
    expect(page.more).toBe(true)
    const rest = await store.range('', { limit: 2, after: 'c', revision: page.revision })
    expect(rest.entries.map((entry) => entry.key)).toEqual(['d'])
    expect(rest.more).toBe(false)
  })

  itWithStore(make, 'reads the next page of the same picture while keys change', async (store) => {
    for (let i = 0; i < 10; i++) await set(store, `k${i}`, 'old')
    const first = await store.range('', { limit: 4 })
    for (let i = 0; i < 10; i++) await set(store, `k${i}`, 'new')
    await remove(store, 'k9')
    await set(store, 'k55', 'new')
    const rest = await store.range('', { limit: 100, after: 'k3', revision: first.revision })
    expect(rest.revision).toBe(first.revision)
    expect(rest.entries.map((entry) => entry.key)).toEqual(['k4', 'k5', 'k6', 'k7', 'k8', 'k9'])
    expect(rest.entries.every((entry) => text(entry.value) === 'old')).toBe(true)
  })

  itWithStore(make, 'hands over everything with the digits in place', async (store) => {
    for (const key of [...awkward].reverse()) await set(store, key, `{${key}}`)
    await committed(store.put('empty', value(''), undefined, note))
    await remove(store, 'z')
    const { revision, entries } = await readWhole(store)
    const expected = await pages(store, '', 100)
    expect(revision).toBe(await store.revision())
    expect(entries.map(({ key, revision, value }) => ({ key, revision, text: text(value) }))).toEqual(
      expected.map(({ key, revision, value }) => ({ key, revision, text: text(value) })),
    )
    for (const { key, revision, value: found, whole } of entries) {
      const content = key === 'empty' ? '' : `{${key}}`
      expect(found).toMatchObject({ gap: value(content).gap, metaEnd: value(content).metaEnd })
      expect(whole).toBe(key === 'empty' ? String(revision) : `{${revision}${key}}`)
    }
  })

  itWithStore(make, 'hands over one picture, however much it is, while keys change', async (store) => {
    const long = 'x'.repeat(200_000)
    const keys = Array.from({ length: 30 }, (_, i) => `k${10 + i}`)
    for (const key of keys) await set(store, key, long)
    const before = await store.revision()
    const last = await store.get('k39')
    const first = await store.get('k10')
    let seen = 0
    let written: Promise<number>[] = []
    const revision = await store.readAll((entries) => {
      seen += entries.length
      for (const entry of entries) expect(entry.size).toBe(long.length + String(entry.revision).length)
      if (written.length > 0) return
      written = [
        committed(store.put('k39', value('new'), last, note)),
        committed(store.put('k10', value('new'), first, note)),
        committed(store.put('k40', value('new'), undefined, note)),
      ]
    })
    expect(revision).toBe(before)
    expect(seen).toBe(keys.length)
    await Promise.all(written)
    const after = await readWhole(store)
    expect(after.entries.map(({ key }) => key)).toEqual([...keys, 'k40'])
    expect(after.entries.filter(({ value }) => text(value) === 'new').map(({ key }) => key)).toEqual([
      'k10',
      'k39',
      'k40',
    ])
  })

  itWithStore(make, 'shows every older revision as it was', async (store) => {
    const start = await store.revision()
    const first = await set(store, 'a', 'one')
    const second = await set(store, 'a', 'two')
    const gone = await remove(store, 'a')
    const back = await set(store, 'a', 'three')
    const at = async (revision: number) => text((await store.range('', { limit: 9, revision })).entries[0]?.value)
    expect(await at(start)).toBeUndefined()
    expect(await at(first.revision)).toBe('one')
    expect(await at(second.revision)).toBe('two')
    expect(await at(gone)).toBeUndefined()
    expect(await at(back.revision)).toBe('three')
  })

  itWithStore(make, 'refuses a revision that has not been committed', async (store) => {
    const { revision } = await set(store, 'a', 'one')
    const error = await store.range('', { limit: 1, revision: revision + 1 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'FutureRevisionError', current: revision })
  })

  itWithStore(
    make,
    'tells the history of a key, oldest first, with what it held before and who wrote',
    async (store) => {
      const first = await set(store, 'a', 'one')
      await set(store, 'b', 'other')
      const second = await set(store, 'a', 'two')
      const gone = await remove(store, 'a')
      const history = await store.history('a')
      expect(
        history.map((change) => [change.revision, change.op, text(change.value), text(change.previous?.value)]),
      ).toEqual([
        [first.revision, 'put', 'one', undefined],
        [second.revision, 'put', 'two', 'one'],
        [gone, 'delete', undefined, 'two'],
      ])
      expect(history.every((change) => change.key === 'a')).toBe(true)
      expect(history[1]?.note).toEqual(note)
      expect(history[2]?.previous).toMatchObject({ key: 'a', revision: second.revision })
    },
  )
}
