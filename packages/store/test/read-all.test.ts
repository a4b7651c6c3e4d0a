// A store that is told at its opening that everything will be read: it begins before anybody asks.

import { expect, it, onTestFinished } from 'vitest'
import { note, pages, readWhole, remove, set, text, value } from '../src/conformance/harness.ts'
import type { Store } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'

/** Several steps of reading: keys with large values, and more deleted keys in a row than one step looks at. */
async function filled(): Promise<Store> {
  const directory = freshDirectory()
  const first = await openSqliteStore({ directory })
  for (let i = 10; i < 40; i++) await set(first, `a${i}`, `${i}`.padEnd(100_000, '-'))
  const names = Array.from({ length: 1200 }, (_, i) => `b${i}`)
  await Promise.all(names.map((name) => first.put(name, value(name), undefined, note)))
  await Promise.all(names.map((name) => remove(first, name)))
  for (let i = 10; i < 20; i++) await set(first, `c${i}`, `${i}`)
  await first.close()
  const store = await openSqliteStore({ directory, willReadAll: true })
  onTestFinished(() => store.close())
  return store
}

it('what it has read before it is asked is what is there', async () => {
  const store = await filled()
  const { revision, entries } = await readWhole(store)
  expect(revision).toBe(await store.revision())
  expect(entries).toHaveLength(40)
  expect(entries.map(({ whole: _, ...entry }) => entry)).toEqual(await pages(store, '', 1000))
})

it('what is written before it is asked is in it', async () => {
  const store = await filled()
  const { revision } = await set(store, 'a39', 'new')
  const whole = await readWhole(store)
  expect(whole.revision).toBe(revision)
  expect(whole.entries.find(({ key }) => key === 'a39')).toMatchObject({ whole: `n${revision}ew` })
})

it('another range is not answered with what was read for all', async () => {
  const store = await filled()
  const { entries } = await store.range('', { limit: 100 })
  expect(text(entries[0]?.value)).toBe('10'.padEnd(100_000, '-'))
})

it('one that takes in what is read and fails ends the reading', async () => {
  const store = await filled()
  let calls = 0
  const failing = store.readAll(() => {
    calls++
    throw new Error('no room')
  })
  await expect(failing).rejects.toThrow('no room')
  expect(calls).toBe(1)
  expect((await readWhole(store)).entries).toHaveLength(40)
})
