// What stays readable by key below the horizon, and what is given back to the disk.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { committed, note, pages, remove, set, text, value } from '../src/conformance/harness.ts'
import type { SqliteStoreOptions, Store } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'

async function storeWith(options: Omit<SqliteStoreOptions, 'directory'>) {
  const directory = freshDirectory()
  const store = await openSqliteStore({ directory, ...options })
  onTestFinished(() => store.close())
  return { store, file: join(directory, 'homeostat.db') }
}

/** The suite's notes are years old. */
const FOREVER = Number.MAX_SAFE_INTEGER

const contents = async (history: Promise<readonly { value: Parameters<typeof text>[0] }[]>) =>
  (await history).map((change) => text(change.value))

it('keeps the last versions of each key below the horizon', async () => {
  const { store } = await storeWith({ historyPerKey: 3, historyMs: FOREVER })
  for (let i = 0; i < 300; i++) await set(store, `k${i % 2}`, `${i}`)
  await store.compact(300)
  expect(await contents(store.history('k1'))).toEqual(['293', '295', '297', '299'])
  const history = await store.history('k1')
  expect(text(history[1]?.previous?.value)).toBe('293')
  expect(history[0]?.previous).toBeUndefined()
})

it('keeps everything above the horizon', async () => {
  const { store } = await storeWith({ historyPerKey: 0 })
  for (let i = 0; i < 20; i++) await set(store, 'a', `${i}`)
  await store.compact(10)
  expect(await contents(store.history('a'))).toEqual(Array.from({ length: 11 }, (_, i) => `${i + 9}`))
})

it('keeps the history of a deleted key, and forgets it where no history is kept', async () => {
  const { store } = await storeWith({ historyPerKey: 2, historyMs: FOREVER })
  await set(store, 'a', 'one')
  await set(store, 'a', 'two')
  await remove(store, 'a')
  await store.compact(3)
  expect((await store.history('a')).map((change) => change.op)).toEqual(['put', 'delete'])
  const { store: forgetful } = await storeWith({ historyPerKey: 0 })
  await set(forgetful, 'a', 'one')
  await remove(forgetful, 'a')
  await forgetful.compact(2)
  expect(await forgetful.history('a')).toEqual([])
  expect(await forgetful.revision()).toBe(2)
})

it('drops history that is too old', async () => {
  const { store } = await storeWith({ historyMs: 60_000 })
  const old = { ...note, time: Date.now() - 120_000 }
  const young = { ...note, time: Date.now() }
  const first = await committed(store.put('a', value('old'), undefined, old))
  const second = await committed(store.put('a', value('young'), { key: 'a', revision: first, value: undefined }, young))
  await committed(store.put('a', value('newest'), { key: 'a', revision: second, value: undefined }, young))
  await store.compact(3)
  expect(await contents(store.history('a'))).toEqual(['young', 'newest'])
})

it('drops the oldest history when there is too much in all', async () => {
  const { store } = await storeWith({ historyBytes: 50_000 })
  const recent = { ...note, time: Date.now() }
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 20; i++) {
      const current = await store.get(`k${i}`)
      await committed(store.put(`k${i}`, value(`${round}`.padEnd(1000)), current, recent))
    }
  }
  await store.compact(100)
  const kept: number[] = []
  for (let i = 0; i < 20; i++)
    kept.push(...(await store.history(`k${i}`)).slice(0, -1).map((change) => change.revision))
  expect(kept.length * 1000).toBeLessThanOrEqual(50_000)
  expect(kept.length).toBeGreaterThan(40)
  expect(Math.min(...kept)).toBeGreaterThan(30)
  expect(await pages(store, '', 100)).toHaveLength(20)
})

it('counts history again when only the sum is known, as after an older version', async () => {
  const directory = freshDirectory()
  const options = { directory, historyBytes: 50_000 }
  const first = await openSqliteStore(options)
  const recent = { ...note, time: Date.now() }
  const write = async (store: Store, key: string, round: number) =>
    committed(store.put(key, value(`${round}`.padEnd(1000)), await store.get(key), recent))
  for (let round = 0; round < 4; round++) for (let i = 0; i < 10; i++) await write(first, `core/pods/${i}`, round)
  await first.compact(40)
  await first.close()
  const db = new DatabaseSync(join(directory, 'homeostat.db'))
  db.exec("DELETE FROM meta WHERE name = 'history_kinds'")
  db.close()
  const store = await openSqliteStore(options)
  onTestFinished(() => store.close())
  for (let i = 0; i < 10; i++) for (let round = 0; round < 3; round++) await write(store, `apps/widgets/${i}`, round)
  await store.compact(70)
  const kept = async (kind: string) =>
    (await Promise.all(Array.from({ length: 10 }, (_, i) => store.history(`${kind}/${i}`)))).flat().length - 10
  expect((await kept('core/pods')) + (await kept('apps/widgets'))).toBeLessThanOrEqual(45)
  expect(await kept('core/pods')).toBeGreaterThan(15)
  expect(await kept('apps/widgets')).toBe(20)
})

it('moves the horizon by itself and gives space back', async () => {
  const { store, file } = await storeWith({ horizonMs: 1, horizonChanges: 10, compactEveryMs: 20, historyPerKey: 0 })
  const big = 'x'.repeat(100_000)
  for (let i = 0; i < 200; i++) await set(store, 'a', `${i}${big}`)
  await expect.poll(() => store.horizon()).toBe(190)
  await set(store, 'b', 'y')
  await expect.poll(async () => (await stat(file)).size).toBeLessThan(12_000_000)
  expect((await store.history('a')).length).toBeLessThan(20)
})
