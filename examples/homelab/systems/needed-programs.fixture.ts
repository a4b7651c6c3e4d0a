// Programs of the machine that tests here need. Where one is missing they are skipped and say so; on CI, where
// HOMEOSTAT_NO_SKIP is set, that is an error.

import { findProgram } from '../programs/program.ts'

/** Undefined when all are there. */
export function needPrograms(...names: string[]): string | undefined {
  const missing = names.filter((name) => findProgram(name) === undefined)
  if (missing.length === 0) return undefined
  const reason = `${missing.join(', ')} not found`
  if (process.env.HOMEOSTAT_NO_SKIP === '1')
    throw new Error(`${reason}, and HOMEOSTAT_NO_SKIP=1 forbids skipping tests`)
  process.stderr.write(
    `skipped: ${reason}; on Debian: apt-get install --no-install-recommends postgresql redis-server\n`,
  )
  return reason
}
