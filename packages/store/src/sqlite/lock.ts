// Makes sure that one process at a time uses a data directory: an exclusive transaction held on a file of its own.
// The kernel frees it with the process, however that ends, so there is never a stale lock to remove.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface DirectoryLock {
  release(): void
}

export function lockDirectory(directory: string): DirectoryLock {
  const db = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    throw new Error(
      `the data directory ${directory} is in use by another Homeostat process; ` +
        'stop that one, or choose another data directory for this one',
      { cause: error },
    )
  }
  let held = true
  return {
    release() {
      if (held) db.close()
      held = false
    },
  }
}
