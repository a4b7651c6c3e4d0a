// How what was written gets from the WAL into the data file: in a pause by itself, under load without end.

import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import { expect, it, onTestFinished } from 'vitest'
import { committed, note, set, value } from '../src/conformance/harness.ts'
import { openSqliteStore, type SqliteStoreOptions, type Store } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'

async function opened(options: Partial<SqliteStoreOptions> = {}): Promise<{ store: Store; data: string }> {
  const directory = freshDirectory()
  const store = await openSqliteStore({ directory, ...options })
  onTestFinished(() => store.close())
  return { store, data: join(directory, 'homeostat.db') }
}

it('moves what was written into the data file when writing pauses', async () => {
  const { store, data } = await opened()
  await Promise.all(Array.from({ length: 100 }, (_, i) => set(store, `k${i}`, `content-of-${i}.`.padEnd(4000, '-'))))
  expect(statSync(data).size).toBeLessThan(100_000)
  await until(() => expect(statSync(data).size).toBeGreaterThan(400_000))
})

it('moves what a killed server left in its WAL, without being written to', async () => {
  const { store, data } = await opened()
  await Promise.all(Array.from({ length: 100 }, (_, i) => set(store, `k${i}`, 'x'.repeat(4000))))
  const directory = freshDirectory()
  execFileSync('cp', [data, `${data}-wal`, directory])
  const again = await openSqliteStore({ directory })
  onTestFinished(() => again.close())
  await until(() => expect(statSync(join(directory, 'homeostat.db')).size).toBeGreaterThan(400_000))
})

it('begins the WAL anew again and again while writes go on', async () => {
  const { store, data } = await opened({ checkpointPages: 20 })
  const bulky = 'x'.repeat(8000)
  for (let i = 0; i < 3000; i++) await committed(store.put(`k${i}`, value(bulky), undefined, note))
  expect(statSync(data).size).toBeGreaterThan(12 << 20)
  expect(statSync(`${data}-wal`).size).toBeLessThan(12 << 20)
})

it('goes on writing when pages cannot be moved, and moves them later', async () => {
  const { store, data } = await opened({
    checkpointPages: 20,
    fault: [{ call: 'checkpoint', kind: 'ioerr', times: 3 }],
  })
  const bulky = 'x'.repeat(8000)
  for (let i = 0; i < 100; i++) await committed(store.put(`k${i}`, value(bulky), undefined, note))
  expect(store.health()).toEqual({ writable: true })
  await until(() => expect(statSync(data).size).toBeGreaterThan(800_000))
})
