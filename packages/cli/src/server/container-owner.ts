// The owner label of this server's containers: a name that is generated once and kept in the data directory, so that
// servers with other directories on the same Docker engine leave these containers alone.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `folder` is the state directory of the runtimes. */
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
