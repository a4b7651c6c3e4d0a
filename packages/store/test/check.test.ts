// A look at the whole store finds every kind of damage, names it, and changes nothing; a sound store is never blamed,
// whatever was compacted, deleted or restored in it.

import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { until } from '@homeostat/base/testing/eventually'
import { expect, it, onTestFinished } from 'vitest'
import { committed, note, remove, set, value } from '../src/conformance/harness.ts'
import { type DamagedRecord, openSqliteStore } from '../src/index.ts'
import { type CheckReport, checkDirectory, restoreBackup } from '../src/maintenance.ts'
import { freshDirectory } from './fresh-directory.ts'

async function checked(directory: string): Promise<CheckReport & { readonly found: readonly DamagedRecord[] }> {
  const found: DamagedRecord[] = []
  const report = await checkDirectory(directory, { damaged: (record) => found.push(record), progress() {} })
  return { ...report, found }
}

const content = (i: number) => `content-of-${i}.`

async function filled(directory: string, text = content): Promise<void> {
  const store = await openSqliteStore({ directory })
  for (let i = 0; i < 20; i++) await set(store, `k${i}`, text(i))
  await store.close()
}

/** Changes the file of a store that is closed. */
async function withBytes(directory: string, change: (bytes: Buffer) => void): Promise<void> {
  const file = join(directory, 'homeostat.db')
  const bytes = await readFile(file)
  change(bytes)
  await writeFile(file, bytes)
}

async function filesOf(directory: string): Promise<Record<string, string>> {
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(directory, name)))
      .digest('hex')
  const names = (await readdir(directory)).sort()
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)])))
}

it('finds nothing in a store with deletions, compactions, history and a restore, in use or not', async () => {
  const root = freshDirectory()
  const directory = join(root, 'data')
  const store = await openSqliteStore({ directory, historyPerKey: 2, historyMs: 0 })
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 30; i++) await set(store, `k${i}`, `${round}-${i}`)
    for (let i = 0; i < 30; i += 7) await remove(store, `k${i}`)
    await store.compact((await store.revision()) - 20)
  }
  expect(await checked(directory)).toMatchObject({ damaged: 0, structure: [], found: [] })
  await store.backup(join(root, 'copy'))
  await store.close()
  const before = await filesOf(directory)
  const report = await checked(directory)
  expect(report).toMatchObject({ damaged: 0, structure: [] })
  expect(report.records).toBeGreaterThan(40)
  expect(await filesOf(directory)).toEqual(before)
  await restoreBackup(join(root, 'copy'), join(root, 'restored'))
  const again = await openSqliteStore({ directory: join(root, 'restored') })
  await set(again, 'k1', 'after')
  expect(await checked(join(root, 'restored'))).toMatchObject({ damaged: 0, structure: [] })
  await again.close()
})

it('names a record whose bytes have changed', async () => {
  const directory = freshDirectory()
  await filled(directory)
  await withBytes(directory, (bytes) => bytes.write('C', bytes.indexOf('content-of-7.')))
  const { found } = await checked(directory)
  expect(found).toEqual([{ revision: 8, key: 'k7', problem: expect.stringContaining('checksum') }])
})

it('names a key that the index does not have, and what SQLite says of it', async () => {
  const directory = freshDirectory()
  await filled(directory)
  await withBytes(directory, (bytes) => {
    let at = bytes.indexOf('k7')
    while (bytes[at - (at % 4096)] !== 0x0a) at = bytes.indexOf('k7', at + 1)
    bytes.write('q', at)
  })
  const { found, structure } = await checked(directory)
  expect(found).toContainEqual({ revision: 8, key: 'k7', problem: 'its key is not in the index' })
  expect(found).toContainEqual({ revision: 8, key: 'q7', problem: 'the index has another key for it' })
  expect(structure.join()).toContain('log_key')
})

it('names a record that does not follow what its key held', async () => {
  const directory = freshDirectory()
  const store = await openSqliteStore({ directory })
  for (const text of ['one', 'two', 'three']) await set(store, 'a', text)
  await store.close()
  const db = new DatabaseSync(join(directory, 'homeostat.db'))
  // As if a commit had been lost: row and index entry are gone, and nothing else is wrong.
  db.exec('DELETE FROM log WHERE rev = 2')
  db.close()
  expect((await checked(directory)).found).toEqual([
    { revision: 3, key: 'a', problem: 'it follows revision 2, but its key held 1 before' },
  ])
})

it('goes on behind a page that cannot be read', async () => {
  const directory = freshDirectory()
  await filled(directory, (i) => content(i).padEnd(20_000, '-'))
  await withBytes(directory, (bytes) => {
    const page = Math.floor(bytes.indexOf('content-of-7.') / 4096)
    const overflow = bytes.indexOf(Buffer.alloc(4000, '-'), (page + 1) * 4096)
    bytes.fill(0xee, overflow - (overflow % 4096), overflow - (overflow % 4096) + 4)
    bytes.write('C', bytes.indexOf('content-of-19.'))
  })
  const { found, records } = await checked(directory)
  expect(records).toBe(20)
  expect(found.map(({ key }) => key)).toEqual([expect.stringMatching(/^k\d+$/), 'k19'])
})

it('refuses a directory without data, and makes nothing in it', async () => {
  const directory = freshDirectory()
  await expect(checked(directory)).rejects.toThrow('holds no data')
  expect(await readdir(directory)).toEqual([])
})

it('runs by itself in an open store: health, statistics and the listener tell of it, once', async () => {
  const directory = freshDirectory()
  await filled(directory)
  await withBytes(directory, (bytes) => bytes.write('C', bytes.indexOf('content-of-7.')))
  const told: DamagedRecord[] = []
  const onDamage = (record: DamagedRecord) => void told.push(record)
  const store = await openSqliteStore({ directory, checkAfterMs: 0, checkEveryMs: 1, historyPerKey: 0, onDamage })
  onTestFinished(() => store.close())
  await until(() => expect(store.stats().damagedRecords).toBe(1))
  expect(store.health()).toEqual({
    writable: true,
    damage: expect.stringMatching(/^1 damaged record: k7: the checksum/),
  })
  expect(told).toEqual([{ revision: 8, key: 'k7', problem: expect.stringContaining('checksum') }])
  // Written anew, and what it held forgotten, the store is sound again.
  await committed(store.put('k7', value('healed'), await store.get('k7'), note))
  await store.compact(await store.revision())
  await until(() => expect(store.stats().damagedRecords).toBe(0))
  expect(store.health()).toEqual({ writable: true })
  expect(told).toHaveLength(1)
})
