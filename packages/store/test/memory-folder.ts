// A folder in memory where there is such a file system, for tests that open hundreds of damaged copies: nothing is at
// stake there that a sync would protect.

import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The caller removes it. */
export function makeMemoryFolder(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'homeostat-store-'))
}
