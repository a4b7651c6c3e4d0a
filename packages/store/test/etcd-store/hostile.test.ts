// Keys and values of any form, records that others wrote, and a backup that becomes a store on SQLite.

import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changesUntil, note, pages, readWhole, remove, set, text, value } from '../../src/conformance/harness.ts'
import { openSqliteStore } from '../../src/index.ts'
import { restoreBackup } from '../../src/maintenance.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { freshDirectory } from '../fresh-directory.ts'
import { base64, clusterForTests, logOf, opened } from './cluster.ts'

const awkward = [
  '',
  '\0',
  'a',
  'a\0',
  'a\0b',
  `a\0${'0'.repeat(37)}`,
  '../meta/store',
  'object/',
  '/',
  '\u{10ffff}',
  'ÿ',
  '\n',
  'x'.repeat(2000),
]

describe.skipIf(etcdMissing() !== undefined)('the etcd store', () => {
  const tests = clusterForTests({ members: 1 })

  it('keeps keys apart, whatever is in them, with the history of each', async () => {
    const store = await opened(tests.fresh())
    const recent = { ...note, time: Date.now() }
    for (const key of awkward) {
      for (const content of ['one', 'two']) {
        const result = await store.put(key, value(`${key} ${content}`), await store.get(key), recent)
        expect(result.type).toBe('committed')
      }
    }
    await store.compact(await store.revision())
    for (const key of awkward) {
      expect(text((await store.get(key))?.value)).toBe(`${key} two`)
      expect((await store.history(key)).map((change) => text(change.value))).toEqual([`${key} one`, `${key} two`])
    }
    expect(await pages(store, '', 3)).toHaveLength(awkward.length)
    expect(await store.put('\ud800', value('x'), undefined, note)).toMatchObject({ type: 'failed' })
  })

  it('gives values and notes back byte by byte', async () => {
    const store = await opened(tests.fresh())
    const name = fc.string({ unit: 'binary', maxLength: 300 }).filter((some) => some.isWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), name, name, async (bytes, user, manager) => {
        const written = { time: 17, user, manager }
        const gap = bytes.length >> 1
        const before = await store.get('k')
        const result = await store.put('k', { bytes, gap, metaEnd: bytes.length }, before, written)
        expect(result.type).toBe('committed')
        const [change] = await store.history('k', { limit: 1 })
        expect(change).toMatchObject({ note: written, value: { gap, metaEnd: bytes.length } })
        expect(Buffer.compare(bytes, change?.value?.bytes ?? Buffer.alloc(0))).toBe(0)
      }),
      { numRuns: 40 },
    )
  })

  it('reports records that it did not write as damaged, and replaces or deletes them', async () => {
    const options = tests.fresh()
    const store = await opened(options)
    const start = await store.revision()
    await set(store, 'good', 'x')
    for (const key of ['bad', 'worse'])
      await tests.cluster.call('/v3/kv/put', {
        key: base64(`${options.prefix}/object/${key}`),
        value: base64(`{${'x'.repeat(90)}}`),
      })
    const bad = await store.get('bad')
    expect(bad).toMatchObject({ key: 'bad', value: undefined, damage: expect.any(String) })
    expect((await readWhole(store)).entries.map(({ key, damage }) => [key, damage !== undefined])).toEqual([
      ['bad', true],
      ['good', false],
      ['worse', true],
    ])
    const changes = await changesUntil(store, start, await store.revision())
    expect(changes.map(({ key, damage }) => [key, damage !== undefined])).toEqual([
      ['good', false],
      ['bad', true],
      ['worse', true],
    ])
    expect(await store.put('bad', value('good again'), bad, note)).toMatchObject({ type: 'committed' })
    await remove(store, 'worse')
    expect((await pages(store, '', 9)).map((entry) => entry.key)).toEqual(['bad', 'good'])
  })

  it('shows a deletion that somebody made in etcd itself, without a note', async () => {
    const options = tests.fresh()
    const store = await opened(options)
    await set(store, 'k', 'one')
    await tests.cluster.call('/v3/kv/deleterange', { key: base64(`${options.prefix}/object/k`) })
    const changes = await logOf(store)
    expect(changes.at(-1)).toMatchObject({ op: 'delete', key: 'k', note: { user: '' } })
    await store.compact(await store.revision())
    await set(store, 'k', 'two')
    expect(text((await store.get('k'))?.value)).toBe('two')
  })

  it('writes a backup that a store on SQLite starts from, above all revisions that were given out', async () => {
    const store = await opened(tests.fresh())
    for (const key of awkward) await set(store, key, `${key}!`)
    await remove(store, 'a')
    const directory = freshDirectory()
    const file = join(directory, 'backup')
    await store.backup(file)
    await restoreBackup(file, join(directory, 'data'))
    const restored = await openSqliteStore({ directory: join(directory, 'data') })
    onTestFinished(() => restored.close())
    const contents = async (from: typeof store) =>
      (await pages(from, '', 50)).map((entry) => [entry.key, text(entry.value)])
    expect(await contents(restored)).toEqual(await contents(store))
    expect(await restored.revision()).toBeGreaterThan(await store.revision())
  })
})
