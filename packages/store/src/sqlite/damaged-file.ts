// The message about a data file that SQLite cannot use, with the command that helps.

import { SQLITE_CORRUPT, SQLITE_NOTADB, sqliteCode } from './database.ts'
import { messageOf } from './message-of.ts'

export const SALVAGE_HINT = '"homeostat salvage" brings back what can be read'

/** Adds the file's name to an error of SQLite about damage, which lacks it. Returns any other error unchanged. */
export function namedDamage(file: string, error: unknown): unknown {
  const code = sqliteCode(error)
  if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) return error
  const why = messageOf(error)
  return new Error(`${file} is damaged: ${why}; ${SALVAGE_HINT}`, { cause: error })
}
