// Makes sure that one process at a time uses a data directory: an exclusive transaction held on a file of its own.
// The kernel frees it with the process, however that ends, so there is never a stale lock to remove.

import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB, sqliteCode } from './database.ts'
import { messageOf } from './message-of.ts'
import { DatabaseSync } from './node-sqlite.ts'

export const LOCK_FILE = 'lock.db'

const UNUSABLE = new Set([SQLITE_CORRUPT, SQLITE_NOTADB])

export interface DirectoryLock {
  release(): void
}

export function lockDirectory(directory: string): DirectoryLock {
  const file = join(directory, LOCK_FILE)
  let db: DatabaseSync
  try {
    db = tryLock(file) ?? emptied(file)
  } catch (error) {
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

/** Undefined if the lock file, which should be empty, has content that keeps SQLite from locking it. */
function tryLock(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    // Without a journal file, so that a full disk is not taken for a lock.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if (UNUSABLE.has(sqliteCode(error))) return undefined
    throw error
  }
}

/** SQLite reads the file only while no process holds the lock, so truncating it takes no lock away. */
function emptied(file: string): DatabaseSync {
  truncateSync(file)
  const db = tryLock(file)
  if (db === undefined) throw new Error(`${file} is damaged; remove it while no server runs`)
  return db
}

function refusal(directory: string, error: unknown): string {
  if (sqliteCode(error) !== SQLITE_BUSY) return `the data directory ${directory} cannot be locked: ${messageOf(error)}`
  return (
    `the data directory ${directory} is in use by another Homeostat process; ` +
    'stop that one, or choose another data directory for this one'
  )
}
