// Whose containers are this server's: a name that is made once and kept in the data folder, so that servers with other
// folders on the same Docker engine never take them for theirs.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `folder` is where runtimes keep what they have. */
export function containerOwner(folder: string): string {
  const file = ownerFile(folder)
  if (!existsSync(file)) {
    mkdirSync(join(folder, 'docker'), { recursive: true, mode: 0o700 })
    writeFileSync(file, `homeostat-${randomBytes(4).toString('hex')}\n`, { flag: 'wx', flush: true, mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}

/** Whether an earlier server may have left containers. */
export function hadContainers(folder: string): boolean {
  return existsSync(ownerFile(folder))
}

function ownerFile(folder: string): string {
  return join(folder, 'docker', 'owner')
}
