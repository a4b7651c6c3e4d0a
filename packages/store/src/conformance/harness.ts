// What a driver hands to the conformance suite, and the few moves its tests share.

import type { Change, Entry, Note, Revision, Store, Value, WriteOutcome } from '../contract.ts'

export interface StoreUnderTest {
  readonly store: Store
  /** Each change is a commit of its own; how many come in one array says nothing. */
  readonly commitsOneByOne?: true
  /** Closes the store and opens it again on the same data; absent when the driver keeps nothing. */
  reopen?(): Promise<Store>
  dispose(): Promise<void>
}

/** Limits of history that a test needs small. A driver passes them on. */
export interface TestLimits {
  readonly bytes?: number
  readonly kindBytes?: number
}

export type MakeStore = (limits?: TestLimits) => Promise<StoreUnderTest>

export const note: Note = { time: 1_700_000_000_123, user: 'ada', manager: 'kubectl' }

export function value(text: string): Value {
  const bytes = Buffer.from(text)
  return { bytes, gap: Math.min(1, bytes.length), metaEnd: bytes.length }
}

export function text(of: Value | undefined): string | undefined {
  return of === undefined ? undefined : Buffer.from(of.bytes).toString()
}

export async function committed(result: Promise<WriteOutcome>): Promise<Revision> {
  const answer = await result
  if (answer.type !== 'committed') throw new Error(`expected a commit, got ${answer.type}`, { cause: answer })
  return answer.revision
}

/** Creates the key or replaces what it holds. */
export async function set(store: Store, key: string, content: string): Promise<Entry> {
  const revision = await committed(store.put(key, value(content), await store.get(key), note))
  return { key, revision, value: value(content) }
}

export async function remove(store: Store, key: string): Promise<Revision> {
  const current = await store.get(key)
  if (current === undefined) throw new Error(`${key} is not there`)
  return committed(store.delete(key, current, note))
}

/** The changes that arrive until the revision has been seen. */
export async function changesUntil(store: Store, after: Revision, last: Revision): Promise<Change[]> {
  const seen: Change[] = []
  if (after >= last) return seen
  for await (const changes of store.changes(after, new AbortController().signal)) {
    seen.push(...changes)
    if ((changes.at(-1)?.revision ?? 0) >= last) break
  }
  return seen
}

/** The arrays that arrive until so many changes have been seen. */
export async function arraysOf(store: Store, after: Revision, count: number): Promise<(readonly Change[])[]> {
  const arrays: (readonly Change[])[] = []
  let seen = 0
  for await (const changes of store.changes(after, new AbortController().signal)) {
    arrays.push(changes)
    seen += changes.length
    if (seen >= count) break
  }
  return arrays
}

/** The next changes after the revision, as soon as there are so many. */
export async function nextChanges(store: Store, after: Revision, count: number): Promise<Change[]> {
  return (await arraysOf(store, after, count)).flat()
}

export function revisionsOf(changes: readonly Change[]): Revision[] {
  return changes.map((change) => change.revision)
}

/** Reads a whole prefix in pages of one snapshot. */
export async function pages(store: Store, prefix: string, limit: number, revision?: Revision): Promise<Entry[]> {
  const entries: Entry[] = []
  let at = revision
  let more = true
  while (more) {
    const after = entries.at(-1)?.key
    const page = await store.range(prefix, {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(at === undefined ? {} : { revision: at }),
    })
    entries.push(...page.entries)
    at = page.revision
    more = page.more
  }
  return entries
}

/** Everything `readAll` hands over, in the form in which pages have it, and with the text that is ready to be sent. */
export async function readWhole(store: Store): Promise<{ revision: Revision; entries: (Entry & { whole: string })[] }> {
  const entries: (Entry & { whole: string })[] = []
  const revision = await store.readAll((piece) => {
    for (const { key, revision, damage, buffer, start, size, gap, metaEnd } of piece) {
      const bytes = buffer.subarray(start, start + size)
      const digits = String(revision).length
      const stored = Buffer.concat([bytes.subarray(0, gap), bytes.subarray(gap + digits)])
      const value = damage === undefined ? { bytes: stored, gap, metaEnd: metaEnd - digits } : undefined
      entries.push({ key, revision, value, whole: bytes.toString(), ...(damage === undefined ? {} : { damage }) })
    }
  })
  return { revision, entries }
}

/** Everything an iterable gives until it ends. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
