// What is said of a data file that SQLite cannot use, and the way out that is named with it.

import { SQLITE_CORRUPT, SQLITE_NOTADB, sqliteCode } from './database.ts'
import { messageOf } from './message-of.ts'

export const SALVAGE_HINT = '"homeostat salvage" brings back what can be read'

/** SQLite does not say which file it finds damaged. Any other error is answered as it is. */
export function namedDamage(file: string, error: unknown): unknown {
  const code = sqliteCode(error)
  if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) return error
  const why = messageOf(error)
  return new Error(`${file} is damaged: ${why}; ${SALVAGE_HINT}`, { cause: error })
}
