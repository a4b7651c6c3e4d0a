// The log of changes as the store itself tells it, read when no server uses the data any more.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore, type Store, type Value } from '@homeostat/store'
import { etcdStoreForTests } from '@homeostat/store/testing/etcd/store-for-tests'
import { STORE_PREFIX } from '../widgets.ts'
import type { LogEntry } from './checker.ts'
import { tokenOf } from './token.ts'

export async function withStore<T>(directory: string, use: (store: Store) => Promise<T>): Promise<T> {
  const isHere = existsSync(join(directory, 'homeostat.db'))
  const store = (isHere ? undefined : await etcdStoreForTests(directory)) ?? (await openSqliteStore({ directory }))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Every change of Widgets after the revision. */
export async function storedLog(store: Store, from: number): Promise<LogEntry[]> {
  const newest = await store.revision()
  const after = Math.max(from, await beginningOf(store))
  const log: LogEntry[] = []
  if (after === newest) return log
  const reading = new AbortController()
  for await (const changes of store.changes(after, reading.signal)) {
    for (const change of changes) if (change.key.startsWith(STORE_PREFIX)) log.push(entryOf(change))
    if ((changes.at(-1)?.revision ?? 0) >= newest) break
  }
  return log
}

/** In etcd a store begins at the revision at which it was made. */
export async function beginningOf(store: Store): Promise<number> {
  return store.shared ? store.horizon() : 0
}

export async function storedHistory(store: Store, key: string): Promise<LogEntry[]> {
  return (await store.history(`${STORE_PREFIX}${key}`)).map(entryOf)
}

function entryOf({ key, revision, value }: { key: string; revision: number; value: Value | undefined }): LogEntry {
  const token = value === undefined ? undefined : tokenOf(JSON.parse(Buffer.from(value.bytes).toString()))
  return { key: key.slice(STORE_PREFIX.length), revision, token }
}
