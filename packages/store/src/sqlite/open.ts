// Opens the SQLite store in a directory. The command line and tests call it.

import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Store } from '../contract.ts'
import { lastingFiles } from './data-files.ts'
import { DATA_FILE } from './format.ts'
import { lockDirectory } from './lock.ts'
import { createPrivate, sync } from './new-file.ts'
import { type SqliteStoreOptions, withDefaults } from './options.ts'
import { SqliteStore } from './sqlite-store.ts'

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const directory = resolve(options.directory)
  // Before any await, so that the thread starts while the caller loads the rest of the program.
  const made = mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (made !== undefined) await sync(dirname(made))
  const lock = lockDirectory(directory)
  try {
    createPrivate(join(directory, DATA_FILE))
    return await SqliteStore.open(withDefaults({ ...options, directory }), lock, lastingFiles(directory))
  } catch (error) {
    lock.release()
    throw error
  }
}
