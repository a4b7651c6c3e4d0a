import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import type { Entry, Note, Store, Value, WriteOutcome } from '../contract.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { raiseSqliteRevisions } from '../sqlite/raise-revisions.ts'
import { copyStore, isIncomplete } from './copy-store.ts'

const now = () => 9
const note: Note = { time: 7, user: 'ada', manager: 'kubectl' }

function value(text: string): Value {
  const head = '{"metadata":{"resourceVersion":"'
  return { bytes: Buffer.from(`${head}"},"data":"${text}"}`), gap: head.length, metaEnd: head.length + 2 }
}

async function put(store: Store, key: string, text: string, more: Partial<Note> = {}): Promise<void> {
  await store.put(key, value(text), await store.get(key), { ...note, ...more })
}

const textOf = (of: Value | undefined) => (of === undefined ? undefined : /data":"(.*)"/.exec(String(of.bytes))?.[1])

/** 1,200 keys, so that there are several pages; some with older generations, a status, a deletion in between. */
async function filled(store: Store): Promise<Store> {
  for (let at = 0; at < 1200; at++) await put(store, `g/things/ns/${at}`, `thing ${at}`)
  await put(store, 'g/things/ns/7', 'second')
  await put(store, 'g/things/ns/7', 'a status', { minor: true })
  await put(store, 'core/pods/é/😀', 'first')
  await store.delete('core/pods/é/😀', (await store.get('core/pods/é/😀')) as Entry, note)
  await put(store, 'core/pods/é/😀', 'again', { user: 'bob' })
  return store
}

async function contents(store: Store) {
  const { entries } = await store.range('', { limit: 10_000 })
  return entries.map(({ key, value: of }) => [key, textOf(of)])
}

test('every object comes along, with its history and who wrote it', async () => {
  const [from, to] = [await filled(new MemoryStore()), new MemoryStore({ start: 5000 })]
  const counts: number[] = []
  const { objects, generations, digest } = await copyStore(from, to, { now, copied: (count) => counts.push(count) })
  expect([objects, generations, counts.at(-1)]).toEqual([1201, 4, 1201])
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(await contents(to)).toEqual(await contents(from))
  expect(await isIncomplete(to)).toBe(false)
  const history = async (key: string) =>
    (await to.history(key)).map(({ op, value: of, note: by }) => [op, textOf(of), by.user])
  expect(await history('g/things/ns/7')).toEqual([
    ['put', 'thing 7', 'ada'],
    ['put', 'second', 'ada'],
    ['put', 'a status', 'ada'],
  ])
  expect((await history('core/pods/é/😀')).at(-1)).toEqual(['put', 'again', 'bob'])
})

test('a watcher of the source is told to list anew', async () => {
  const [from, to] = [await filled(new MemoryStore()), new MemoryStore({ start: 5000 })]
  await copyStore(from, to, { now })
  for (const revision of [1, await from.revision(), 5000]) {
    const changes = to.changes(revision, new AbortController().signal)[Symbol.asyncIterator]()
    await expect(changes.next()).rejects.toThrow('compacted')
  }
})

/** Fails once so many writes have been made. */
class BreakingStore extends MemoryStore {
  left = 0
  override async put(...args: Parameters<MemoryStore['put']>): Promise<WriteOutcome> {
    if (this.left-- > 0) return super.put(...args)
    return { type: 'unknown', error: new Error('the network broke') }
  }
}

test('a copy that was cut off, wherever, is incomplete, and the next call ends it', async () => {
  const from = await filled(new MemoryStore())
  for (const writes of [1, 2, 8, 500, 1203]) {
    const to = new BreakingStore({ start: 5000 })
    to.left = writes
    await expect(copyStore(from, to, { now })).rejects.toThrow('the network broke; run this again')
    expect(await isIncomplete(to)).toBe(true)
    to.left = Number.POSITIVE_INFINITY
    await copyStore(from, to, { now })
    expect(await contents(to)).toEqual(await contents(from))
    expect((await to.history('g/things/ns/7')).map((change) => textOf(change.value))).toEqual([
      'thing 7',
      'second',
      'a status',
    ])
    expect(await isIncomplete(to)).toBe(false)
  }
})

test('the source is retired when the copy is whole, and before anybody may use that', async () => {
  const [from, to] = [await filled(new MemoryStore()), new MemoryStore({ start: 5000 })]
  const states: unknown[] = []
  const retire = async () => {
    states.push([await isIncomplete(to), (await contents(to)).length])
    if (states.length === 1) throw new Error('cut off')
  }
  await expect(copyStore(from, to, { now, retire })).rejects.toThrow('cut off')
  expect(await isIncomplete(to)).toBe(true)
  await copyStore(from, to, { now, retire })
  expect(await isIncomplete(to)).toBe(false)
  // The mark is one more.
  expect(states).toEqual([
    [true, 1202],
    [true, 1202],
  ])
})

test('a target with objects, and a source that is written to, are refused', async () => {
  const from = await filled(new MemoryStore())
  const other = new MemoryStore()
  await put(other, 'a/b/c', 'here')
  await expect(copyStore(from, other, { now })).rejects.toThrow('the target holds objects already')
  const to = new MemoryStore({ start: 5000 })
  const written = copyStore(from, to, { now, copied: () => void put(from, 'g/things/ns/new', 'meanwhile') })
  await expect(written).rejects.toThrow('stop all its servers')
  expect(await isIncomplete(to)).toBe(true)
})

test('a value that the target changed is found', async () => {
  class BendingStore extends MemoryStore {
    override put(key: string, of: Value, ...rest: [Entry | undefined, Note]): Promise<WriteOutcome> {
      return super.put(key, key === 'g/things/ns/700' ? value('bent') : of, ...rest)
    }
  }
  const to = new BendingStore({ start: 5000 })
  await expect(copyStore(await filled(new MemoryStore()), to, { now })).rejects.toThrow('g/things/ns/700')
  expect(await isIncomplete(to)).toBe(true)
})

test('into a data directory and back no revision is used twice', async () => {
  const from = await filled(new MemoryStore({ start: 70_000 }))
  const directory = temporaryFolder()
  await (await openSqliteStore({ directory })).close()
  raiseSqliteRevisions(directory, await from.revision())
  const to = await openSqliteStore({ directory })
  onTestFinished(() => to.close())
  await copyStore(from, to, { now })
  const { entries } = await to.range('', { limit: 10_000 })
  expect(Math.min(...entries.map(({ revision }) => revision))).toBeGreaterThan(await from.revision())
  const back = new MemoryStore({ start: await to.revision() })
  await copyStore(to, back, { now })
  expect(await contents(back)).toEqual(await contents(from))
})
