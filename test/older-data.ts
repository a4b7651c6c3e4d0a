// Copies of the data directories that version 0.1 wrote, for tests that open them.

import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'

export const fixtures = join(import.meta.dirname, 'fixtures/data-directory')

/** Git keeps no private modes, which the server gives to all it writes. */
export function olderData(ending: string): string {
  const folder = temporaryFolder()
  cpSync(join(fixtures, ending), folder, { recursive: true })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600)
  }
  return folder
}
