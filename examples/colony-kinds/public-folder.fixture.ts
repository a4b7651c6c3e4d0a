// A temporary folder that other users pass through: as root, PostgreSQL runs as nobody.

import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function publicFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-kinds-'))
  chmodSync(folder, 0o711)
  return folder
}
