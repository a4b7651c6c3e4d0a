// Backups taken while writes go on, and what a restore makes of them.

import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changesUntil, committed, note, pages, set, text, value } from '../src/conformance/harness.ts'
import { openSqliteStore } from '../src/index.ts'
import { restoreBackup } from '../src/maintenance.ts'
import { freshDirectory } from './fresh-directory.ts'

async function backedUp(): Promise<{ file: string; revision: number; root: string }> {
  const root = freshDirectory()
  const file = join(root, 'copy.db')
  const store = await openSqliteStore({ directory: join(root, 'original') })
  for (let i = 0; i < 30; i++) await set(store, `k${i % 10}`, `${i}`)
  await store.backup(file)
  const revision = await store.revision()
  await set(store, 'later', 'not in the backup')
  await store.close()
  return { file, revision, root }
}

it('restores the state with a revision far ahead and the horizon there', async () => {
  const { file, revision, root } = await backedUp()
  const directory = join(root, 'restored')
  const start = revision + 1_000_000_000
  expect(await restoreBackup(file, directory)).toBe(start)
  const store = await openSqliteStore({ directory })
  expect(await store.revision()).toBe(start)
  expect(await store.horizon()).toBe(start)
  expect((await pages(store, '', 3)).map((entry) => [entry.key, text(entry.value)])).toEqual(
    Array.from({ length: 10 }, (_, i) => [`k${i}`, `${20 + i}`]),
  )
  await expect(store.range('', { limit: 1, revision })).rejects.toMatchObject({ name: 'CompactedError' })
  const entry = await set(store, 'k1', 'new')
  expect(entry.revision).toBe(start + 1)
  const [change] = await changesUntil(store, start, start + 1)
  expect(text(change?.previous?.value)).toBe('21')
  await store.close()
})

it('refuses a directory that holds data, unless asked to, and then keeps the old data aside', async () => {
  const { file, root } = await backedUp()
  const directory = join(root, 'original')
  await expect(restoreBackup(file, directory)).rejects.toThrow('already holds data')
  await restoreBackup(file, directory, { replace: true })
  expect((await readdir(directory)).some((name) => name.includes('replaced'))).toBe(true)
  const store = await openSqliteStore({ directory })
  expect(await store.get('later')).toBeUndefined()
  await store.close()
})

it('never uses a revision twice, however often the same backup is restored', async () => {
  const { file, root } = await backedUp()
  const directory = join(root, 'restored')
  const given = new Set<number>()
  for (let round = 0; round < 3; round++) {
    const start = await restoreBackup(file, directory, { replace: true })
    const store = await openSqliteStore({ directory })
    for (let i = 0; i < 5; i++) given.add((await set(store, 'a', `${round}.${i}`)).revision)
    expect(await store.horizon()).toBe(start)
    await store.close()
  }
  expect(given.size).toBe(15)
})

it('refuses a directory in use', async () => {
  const { file, root } = await backedUp()
  const directory = join(root, 'busy')
  const store = await openSqliteStore({ directory })
  await expect(restoreBackup(file, directory, { replace: true })).rejects.toThrow('in use')
  await store.close()
})

it('refuses a file that is damaged, or no backup at all, and leaves nothing behind', async () => {
  const { file, root } = await backedUp()
  const directory = join(root, 'restored')
  const bytes = await readFile(file)
  const at = bytes.indexOf('[1700000000123,"ada"')
  bytes.write('eve', at + 16)
  const damaged = join(root, 'damaged.db')
  await writeFile(damaged, bytes)
  await expect(restoreBackup(damaged, directory)).rejects.toThrow(/damaged/)
  const nonsense = join(root, 'nonsense')
  await writeFile(nonsense, 'nonsense'.repeat(1000))
  await expect(restoreBackup(nonsense, directory)).rejects.toThrow('not a Homeostat backup')
  await expect(restoreBackup(join(root, 'absent'), directory)).rejects.toThrow('no backup')
  expect((await readdir(directory)).filter((name) => name.startsWith('homeostat.db'))).toEqual([])
})

it('leaves no partial file when a backup cannot be written', async () => {
  const root = freshDirectory()
  const store = await openSqliteStore({ directory: join(root, 'data') })
  await committed(store.put('a', value('one'), undefined, note))
  await expect(store.backup(join(root, 'no', 'such', 'place'))).rejects.toThrow()
  await store.backup(join(root, 'copy'))
  expect((await stat(join(root, 'copy'))).size).toBeGreaterThan(0)
  expect((await readdir(root)).sort()).toEqual(['copy', 'data'])
  await store.close()
})
