// A salvage brings back everything but what was really hit, and names that.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { committed, note, set, text, value } from '../src/conformance/harness.ts'
import { type Change, openSqliteStore } from '../src/index.ts'
import { salvageDirectory } from '../src/maintenance.ts'
import { OpenedLog } from './damage-matrix/opened-log.ts'
import { freshDirectory } from './fresh-directory.ts'

const OBJECTS = 200
const PAGE = 4096
const FRAME = PAGE + 24
const content = (i: number) => `content-of-${i}.${'x'.repeat((i * 131) % 1500)}`

/** What a process leaves behind that was killed after its last write, and what was acknowledged. */
async function killed(checkpointPages?: number): Promise<{ directory: string; newest: number }> {
  const root = freshDirectory()
  const [live, directory] = [join(root, 'live'), join(root, 'killed')]
  const store = await openSqliteStore({ directory: live, ...(checkpointPages !== undefined && { checkpointPages }) })
  for (let i = 0; i < OBJECTS; i += 4)
    await Promise.all(
      [0, 1, 2, 3].map((j) => committed(store.put(`k${i + j}`, value(content(i + j)), undefined, note))),
    )
  const newest = await store.revision()
  cpSync(live, directory, { recursive: true })
  await store.close()
  return { directory, newest }
}

function change(directory: string, name: string, damage: (bytes: Buffer) => void): void {
  const file = join(directory, name)
  const bytes = readFileSync(file)
  damage(bytes)
  writeFileSync(file, bytes)
}

function contents(directory: string): Map<string, string | undefined> {
  const log = new OpenedLog(directory)
  try {
    return new Map(log.entries().map((entry) => [entry.key, text(entry.value)]))
  } finally {
    log.close()
  }
}

it('brings back what lies behind a damaged frame of the WAL', async () => {
  const { directory, newest } = await killed()
  change(directory, 'homeostat.db-wal', (bytes) => {
    const at = bytes.length >> 2
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  })
  expect(() => new OpenedLog(directory)).toThrow(/everything from revision \d+ on, up to 200, is missing/)
  const salvaged = await salvageDirectory(directory)
  // A page of the log holds a few records, and a later frame may have brought it again.
  expect(salvaged.lost.length).toBeLessThanOrEqual(8)
  expect(salvaged).toMatchObject({ newest, lostBetween: [] })
  const found = contents(directory)
  for (let i = 0; i < OBJECTS; i++)
    if (!salvaged.lost.some(({ key }) => key === `k${i}`)) expect(found.get(`k${i}`)).toBe(content(i))
  expect(readdirSync(salvaged.aside).sort()).toEqual([
    'high-water',
    'homeostat.db',
    'homeostat.db-shm',
    'homeostat.db-wal',
  ])
})

it.each([
  ['the header of the WAL', 'homeostat.db-wal', 0, 32, undefined],
  ['the schema', 'homeostat.db', 0, PAGE, 50],
  ['the root of the log', 'homeostat.db', 2 * PAGE, PAGE, 50],
  ['the root of the index', 'homeostat.db', 3 * PAGE, PAGE, 50],
] as const)('brings back everything when %s is zeroed', async (_name, file, at, length, checkpointPages) => {
  const { directory, newest } = await killed(checkpointPages)
  if (checkpointPages !== undefined) {
    // All of it in the data file.
    const db = new DatabaseSync(join(directory, 'homeostat.db'))
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
  }
  change(directory, file, (bytes) => bytes.fill(0, at, at + length))
  expect(() => new OpenedLog(directory)).toThrow('homeostat salvage')
  const salvaged = await salvageDirectory(directory)
  expect(salvaged).toMatchObject({ objects: OBJECTS, newest, lost: [], lostBetween: [] })
  const found = contents(directory)
  for (let i = 0; i < OBJECTS; i++) expect(found.get(`k${i}`)).toBe(content(i))
})

it('goes on above every revision that was given out, and only the lost ones are refused', async () => {
  const { directory, newest } = await killed()
  change(directory, 'homeostat.db-wal', (bytes) => bytes.fill(0, bytes.length - 20 * FRAME))
  const salvaged = await salvageDirectory(directory)
  expect(salvaged.lostBetween).toEqual([[salvaged.newest + 1, newest]])
  expect(salvaged.next).toBeGreaterThan(newest)
  const store = await openSqliteStore({ directory })
  const inside = store.changes(newest, new AbortController().signal)[Symbol.asyncIterator]()
  await expect(inside.next()).rejects.toMatchObject({ name: 'CompactedError', horizon: salvaged.next })
  const { revision } = await set(store, 'after', 'all')
  expect(revision).toBe(salvaged.next + 1)
  const below = store.changes(salvaged.newest, new AbortController().signal)[Symbol.asyncIterator]()
  expect(((await below.next()).value as readonly Change[]).map(({ key }) => key)).toEqual(['after'])
  await below.return?.(undefined)
  await store.close()
})

it('refuses a directory in use, and one without data', async () => {
  const { directory } = await killed()
  const log = new OpenedLog(directory)
  await expect(salvageDirectory(directory)).rejects.toThrow('in use')
  log.close()
  await expect(salvageDirectory(freshDirectory())).rejects.toThrow('holds no data')
})
