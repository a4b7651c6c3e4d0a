// Lets the revisions of a store without objects begin above those of another one, whose objects are copied into it. No server may
// use the directory.

import { join, resolve } from 'node:path'
import type { Revision } from '../contract.ts'
import { Database } from './database.ts'
import { DATA_FILE, readFormat } from './format.ts'
import { lockDirectory } from './lock.ts'
import { Reservation } from './reservation.ts'

/** The store was opened before, so that its files are there. */
export function raiseSqliteRevisions(folder: string, above: Revision): void {
  const directory = resolve(folder)
  const file = join(directory, DATA_FILE)
  const lock = lockDirectory(directory)
  try {
    const db = new Database({ file, role: 'writer' })
    try {
      const { uid, revision } = readFormat(db, file)
      if (revision >= above) return
      new Reservation(directory, uid).cover(above)
      db.query('schema', "UPDATE meta SET value = ? WHERE name = 'horizon'", above)
    } finally {
      db.close()
    }
  } finally {
    lock.release()
  }
}
