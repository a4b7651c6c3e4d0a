// Makes sure, when a file is opened, that every row of the log can be found by its key. A byte that changed in the index
// would otherwise hide an object, which looks to every client as if it had been deleted. The rows are the truth: the
// index is built anew from them. If rows themselves are missing it is left alone, since then it alone knows their names.

import type { Database } from './database.ts'

export function repairKeyIndex(db: Database): void {
  try {
    if (db.withSmallCache(() => isSound(db))) return
  } catch {
    // The file is damaged in some other way; reads will say which records it concerns.
    return
  }
  db.exec('schema', 'REINDEX log_key')
}

function isSound(db: Database): boolean {
  const [unfindable] = db.query(
    'schema',
    `SELECT 1 FROM log AS l NOT INDEXED WHERE NOT EXISTS
      (SELECT 1 FROM log AS x INDEXED BY log_key WHERE x.key = l.key AND x.rev = l.rev) LIMIT 1`,
  )
  if (unfindable === undefined) return true
  const [counts] = db.query(
    'schema',
    'SELECT (SELECT count(*) FROM log INDEXED BY log_key), (SELECT count(*) FROM log NOT INDEXED)',
  )
  return counts?.[0] !== counts?.[1]
}
