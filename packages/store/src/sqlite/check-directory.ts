// Reads the whole store of a directory for damage over a read-only connection of its own, so that a server may be using
// it. `homeostat check` calls it. It makes and changes no file of the store.

import { join } from 'node:path'
import type { DamagedRecord, Revision } from '../contract.ts'
import { Database } from './database.ts'
import { DATA_FILE, readFormat } from './format.ts'
import { exists } from './new-file.ts'
import { CHECK_START, type CheckPosition, checkStep } from './verify.ts'

export interface CheckReport {
  readonly records: number
  readonly revision: Revision
  readonly damaged: number
  /** What SQLite says of the structure of the file, a line each; empty when it is sound. */
  readonly structure: readonly string[]
}

export interface CheckListener {
  damaged(record: DamagedRecord): void
  /** Called now and then. */
  progress(records: number, revision: Revision): void
}

const MOST_LINES = 20

export async function checkDirectory(directory: string, listener: CheckListener): Promise<CheckReport> {
  const file = join(directory, DATA_FILE)
  if (!(await exists(file))) throw new Error(`${directory} holds no data`)
  // Without a WAL no process has the file open, so it can be read as immutable, without creating files beside it.
  const isIdle = !(await exists(`${file}-wal`))
  const db = new Database({ file, role: 'observer', immutable: isIdle })
  try {
    const { revision } = readFormat(db, file)
    let [records, damaged] = [0, 0]
    for (let at: CheckPosition | undefined = CHECK_START; at !== undefined; ) {
      const step = checkStep(db, at)
      records += step.records
      damaged += step.damaged.length
      for (const record of step.damaged) listener.damaged(record)
      listener.progress(records, at.revision)
      at = step.next
    }
    return { records, revision, damaged, structure: structureOf(db) }
  } finally {
    db.close()
  }
}

function structureOf(db: Database): string[] {
  const lines = db.query('read', `PRAGMA integrity_check(${MOST_LINES})`).map(([line]) => String(line))
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines
}
