// Which writes share a transaction: each transaction costs a sync.

import { expect, it, onTestFinished } from 'vitest'
import { note, value } from '../src/conformance/harness.ts'
import { openSqliteStore, type Store } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'

async function open(): Promise<Store> {
  const store = await openSqliteStore({ directory: freshDirectory() })
  onTestFinished(() => store.close())
  return store
}

const put = (store: Store, first: number, count: number) =>
  Array.from({ length: count }, (_, i) => store.put(`k${first + i}`, value('x'), undefined, note))

/** So many writes in one turn of the event loop, and more in the turn after it. Answers the transactions. */
async function commitsOf(store: Store, many: number): Promise<number> {
  const before = store.stats().commits
  const first = put(store, 0, many)
  const later = await new Promise<typeof first>((resolve) => setImmediate(() => resolve(put(store, many, 5))))
  const written = await Promise.all([...first, ...later])
  expect(written.map(({ type }) => type)).toEqual(Array.from({ length: many + 5 }, () => 'committed'))
  return store.stats().commits - before
}

it('a turn that brings many writes waits for those of the next one', async () => {
  expect(await commitsOf(await open(), 16)).toBe(1)
})

it('a few writes are on their way when their turn ends', async () => {
  expect(await commitsOf(await open(), 15)).toBe(2)
})
