// Bytes of the data file that changed on disk: the record is named, and everything else is served.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { changesUntil, committed, note, pages, readWhole, set, text, value } from '../src/conformance/harness.ts'
import type { Entry, Store } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'
import { HEADER_BYTES, recordMemory, writeHeader } from '../src/sqlite/record.ts'
import { freshDirectory } from './fresh-directory.ts'

/** Writes twenty keys, closes, lets `damage` at the file, and opens it again. */
async function damagedStore(
  damage: (file: string) => Promise<void>,
  content = (i: number) => `content-of-${i}.`,
): Promise<Store> {
  const directory = freshDirectory()
  const first = await openSqliteStore({ directory })
  for (let i = 0; i < 20; i++) await set(first, `k${i}`, content(i))
  await first.close()
  await damage(join(directory, 'homeostat.db'))
  const store = await openSqliteStore({ directory })
  onTestFinished(() => store.close())
  return store
}

/** What a server reads when it starts must be the same, damage and all. */
async function expectWhole(store: Store, entries: readonly Entry[]): Promise<void> {
  const whole = await readWhole(store)
  expect(whole.entries.map(({ whole: _, ...entry }) => entry)).toEqual(entries)
}

async function flip(file: string, needle: string, offset = 0): Promise<void> {
  const bytes = await readFile(file)
  const at = bytes.indexOf(needle)
  expect(at).toBeGreaterThan(0)
  bytes.writeUInt8(bytes.readUInt8(at + offset) ^ 0x20, at + offset)
  await writeFile(file, bytes)
}

it('names a record whose bytes have changed and serves all others', async () => {
  const store = await damagedStore((file) => flip(file, 'content-of-7.'))
  const entries = await pages(store, '', 6)
  expect(entries).toHaveLength(20)
  await expectWhole(store, entries)
  for (const entry of entries) {
    if (entry.key !== 'k7') expect(text(entry.value)).toBe(`content-of-${entry.key.slice(1)}.`)
  }
  const damaged = entries.find((entry) => entry.key === 'k7')
  expect(damaged).toMatchObject({ key: 'k7', revision: 8, value: undefined })
  expect(damaged?.damage).toContain('checksum')
  expect(await store.get('k7')).toMatchObject({ value: undefined, damage: expect.stringContaining('revision 8') })
})

it('names it in changes, in history, and as what a later change replaced', async () => {
  const store = await damagedStore((file) => flip(file, 'content-of-7.'))
  const changes = await changesUntil(store, 0, 20)
  expect(changes.filter((change) => change.damage !== undefined).map((change) => change.revision)).toEqual([8])
  expect((await store.history('k7'))[0]?.damage).toContain('checksum')
  const current = await store.get('k7')
  const revision = await committed(store.put('k7', value('healed'), current, note))
  expect(text((await store.get('k7'))?.value)).toBe('healed')
  const [again] = await changesUntil(store, 20, revision)
  expect(again?.previous).toMatchObject({ key: 'k7', revision: 8, value: undefined })
})

it('finds a key again whose entry in the index has changed', async () => {
  const store = await damagedStore(async (file) => {
    const bytes = await readFile(file)
    // Pages of the index begin with 0x0a, those of the table with 0x0d.
    let at = bytes.indexOf('k7')
    while (bytes[at - (at % 4096)] !== 0x0a) at = bytes.indexOf('k7', at + 1)
    bytes.write('q', at)
    await writeFile(file, bytes)
  })
  expect(text((await store.get('k7'))?.value)).toBe('content-of-7.')
  const entries = await pages(store, '', 7)
  expect(entries).toHaveLength(20)
  expect(entries.every((entry) => entry.damage === undefined)).toBe(true)
})

it('serves a record whose key has changed under the key that the index knows, by which its checksum holds', async () => {
  const store = await damagedStore(async (file) => {
    const bytes = await readFile(file)
    let at = bytes.indexOf('k7')
    while (bytes[at - (at % 4096)] !== 0x0d) at = bytes.indexOf('k7', at + 1)
    bytes.write('q', at)
    await writeFile(file, bytes)
  })
  const entries = await pages(store, '', 100)
  expect(entries).toHaveLength(20)
  expect(text(entries.find(({ key }) => key === 'k7')?.value)).toBe('content-of-7.')
})

it('notices a changed note', async () => {
  const store = await damagedStore((file) => flip(file, '[1700000000123,"ada"', 17))
  expect((await pages(store, '', 100)).filter((entry) => entry.damage !== undefined)).toHaveLength(1)
})

it('names a record that is missing from the table but not from the index', async () => {
  const store = await damagedStore(async (file) => {
    const db = new DatabaseSync(file)
    db.enableDefensive?.(false)
    // Makes SQLite forget the index for a moment, so that it deletes the row alone.
    const { sql } = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'log_key'").get() as { sql: string }
    db.exec('PRAGMA writable_schema = ON')
    db.exec(
      "UPDATE sqlite_schema SET type = 'table', tbl_name = 'hidden', sql = 'CREATE TABLE hidden(x)', name = 'hidden' WHERE name = 'log_key'",
    )
    db.close()
    const again = new DatabaseSync(file)
    again.enableDefensive?.(false)
    again.exec('DELETE FROM log WHERE rev = 8; PRAGMA writable_schema = ON')
    again
      .prepare(
        "UPDATE sqlite_schema SET type = 'index', name = 'log_key', tbl_name = 'log', sql = ? WHERE name = 'hidden'",
      )
      .run(sql)
    again.close()
  })
  const entries = await pages(store, '', 100)
  expect(entries).toHaveLength(20)
  await expectWhole(store, entries)
  expect(entries.find((entry) => entry.key === 'k7')?.damage).toContain('missing')
})

it('serves the other records when a page of the file cannot be read', async () => {
  const content = (i: number) => `content-of-${i}.`.padEnd(20_000, '-')
  const store = await damagedStore(async (file) => {
    const bytes = await readFile(file)
    // The pointer from the record's first overflow page to the next.
    const page = Math.floor(bytes.indexOf('content-of-7.') / 4096)
    const overflow = bytes.indexOf(Buffer.alloc(4000, '-'), (page + 1) * 4096)
    bytes.fill(0xee, overflow - (overflow % 4096), overflow - (overflow % 4096) + 4)
    await writeFile(file, bytes)
  }, content)
  const entries = await pages(store, '', 100)
  expect(entries).toHaveLength(20)
  await expectWhole(store, entries)
  expect(entries.filter((entry) => entry.damage !== undefined)).toHaveLength(1)
  expect(entries.filter((entry) => entry.value !== undefined)).toHaveLength(19)
})

it('names a record of a newer version, whose form it does not know, and serves all others', async () => {
  const store = await damagedStore(async (file) => {
    const db = new DatabaseSync(file)
    const row = db.prepare('SELECT rev, key, prev_rev, op, gap, meta_end, note, value FROM log WHERE rev = 8').get()
    if (row === undefined) throw new Error('there is no revision 8')
    const [key, note, content] = [row.key, row.note, row.value].map((cell) => Buffer.from(cell as Uint8Array))
    const header = recordMemory(new ArrayBuffer(HEADER_BYTES))
    writeHeader(header, 0, {
      revision: 8,
      previous: Number(row.prev_rev),
      op: Number(row.op),
      encoding: 9,
      gap: Number(row.gap),
      metaEnd: Number(row.meta_end),
      keyLength: key?.length ?? 0,
      noteLength: note?.length ?? 0,
      valueLength: content?.length ?? 0,
    })
    const crc = crc32(Buffer.concat([header.bytes, key ?? '', note ?? '', content ?? ''] as Buffer[]))
    db.prepare('UPDATE log SET encoding = 9, crc = ? WHERE rev = 8').run(crc)
    db.close()
  })
  const entries = await pages(store, '', 6)
  await expectWhole(store, entries)
  const unknown = entries.filter((entry) => entry.damage !== undefined)
  expect(unknown).toMatchObject([{ key: 'k7', value: undefined, damage: expect.stringContaining('newer version') }])
})
