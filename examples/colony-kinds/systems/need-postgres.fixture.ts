// Which PostgreSQL the machine has, for tests that need one. Where it is missing they are skipped and say so; with
// HOMEOSTAT_NO_SKIP=1 that is an error.

import { newestPostgres } from '../database/own-server.ts'

/** The major version; undefined when none is installed. */
export function needPostgres(): string | undefined {
  const newest = newestPostgres()
  if (newest !== undefined) return newest
  const reason = 'PostgreSQL is not installed; on Debian: apt-get install --no-install-recommends postgresql'
  if (process.env.HOMEOSTAT_NO_SKIP === '1') throw new Error(`${reason}; HOMEOSTAT_NO_SKIP=1 forbids skipping tests`)
  process.stderr.write(`skipped: ${reason}\n`)
  return undefined
}
