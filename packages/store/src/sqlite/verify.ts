// Looks at every record of a file for damage. Used before a backup is trusted.

import type { Revision } from '../contract.ts'
import type { Database } from './database.ts'
import { columns, PageWriter } from './page.ts'
import { unpackEntries } from './unpack.ts'

const MOST_NAMED = 5
const STEP = 200

/** The first few revisions whose checksum does not match. */
export function damagedRevisions(db: Database): Revision[] {
  const rows = db.prepare('read', `SELECT ${columns('log')} FROM log WHERE rev > ? ORDER BY rev LIMIT ${STEP}`)
  const damaged: Revision[] = []
  let last = 0
  for (;;) {
    const page = new PageWriter()
    const step = rows.all(last)
    for (const row of step) page.add(row)
    for (const entry of unpackEntries(page.finish())) {
      if (entry?.damage !== undefined && damaged.length < MOST_NAMED) damaged.push(entry.revision)
    }
    if (step.length < STEP) return damaged
    last = Number(step.at(-1)?.[0])
  }
}
