// Small files that travel inside a backup beside the log, in a table that only backups have: the keys of a server, say.
// Backup and restore call it. A store in use never holds the table.

import type { Database } from './database.ts'
import { DatabaseSync } from './node-sqlite.ts'

export interface AttachedFile {
  /** Relative to the data directory, with slashes: `pki/ca.crt`. */
  readonly name: string
  readonly content: Uint8Array
}

/** Adds the files to a backup that is being written. */
export function attachFiles(backup: string, files: readonly AttachedFile[]): void {
  const db = new DatabaseSync(backup)
  try {
    // No journal beside it: a backup that is interrupted is thrown away.
    db.exec('PRAGMA journal_mode = MEMORY; CREATE TABLE attached (name TEXT PRIMARY KEY, content BLOB NOT NULL)')
    const insert = db.prepare('INSERT INTO attached VALUES (?, ?)')
    for (const { name, content } of files) insert.run(name, content)
  } finally {
    db.close()
  }
}

/** Takes the files out of the copy of a backup that becomes a store. None in a backup of an older version. */
export function detachFiles(db: Database): AttachedFile[] {
  const [table] = db.query('schema', "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'attached'")
  if (table === undefined) return []
  const files = db.query('schema', 'SELECT name, content FROM attached ORDER BY name').map(([name, content]) => ({
    name: String(name),
    content: content instanceof Uint8Array ? content : Buffer.from(String(content ?? '')),
  }))
  // Zeroes the pages: the keys are not left in the free space of the store.
  db.exec('schema', 'PRAGMA secure_delete = ON; DROP TABLE attached')
  return files
}
