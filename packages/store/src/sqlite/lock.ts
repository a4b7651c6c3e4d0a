// Makes sure that one process at a time uses a data directory: an exclusive transaction held on a file of its own.
// The kernel frees it with the process, however that ends, so there is never a stale lock to remove.

import { join } from 'node:path'
import { SQLITE_BUSY, sqliteCode } from './database.ts'
import { DatabaseSync } from './node-sqlite.ts'

export const LOCK_FILE = 'lock.db'

export interface DirectoryLock {
  release(): void
}

export function lockDirectory(directory: string): DirectoryLock {
  const db = new DatabaseSync(join(directory, LOCK_FILE), { timeout: 0 })
  try {
    // Without a journal file, so that a full disk is not taken for a lock.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    throw new Error(refusal(directory, error), { cause: error })
  }
  let held = true
  return {
    release() {
      if (held) db.close()
      held = false
    },
  }
}

function refusal(directory: string, error: unknown): string {
  if (sqliteCode(error) !== SQLITE_BUSY)
    return `the data directory ${directory} cannot be locked: ${error instanceof Error ? error.message : error}`
  return (
    `the data directory ${directory} is in use by another Homeostat process; ` +
    'stop that one, or choose another data directory for this one'
  )
}
