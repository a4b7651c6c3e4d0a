// Opens the SQLite store in a directory. The command line and tests call it.

import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Store } from '../contract.ts'
import { lockDirectory } from './lock.ts'
import { sync } from './new-file.ts'
import { type SqliteStoreOptions, withDefaults } from './options.ts'
import { SqliteStore } from './sqlite-store.ts'

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const directory = resolve(options.directory)
  const made = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (made !== undefined) await sync(dirname(made))
  const lock = lockDirectory(directory)
  try {
    return await SqliteStore.open(withDefaults({ ...options, directory }), lock)
  } catch (error) {
    lock.release()
    throw error
  }
}
