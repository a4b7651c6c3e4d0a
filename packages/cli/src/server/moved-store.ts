// Marks a data directory whose objects were migrated to another store, so that no server goes on with what they were before: there
// would be two truths. `migrate` writes and removes the mark; `up` reads it.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Fault, systemCode } from '../fault.ts'
import { replaceDurable } from './durable-file.ts'

const MARK = 'moved'

/** `where`, such as `the store under /homeostat in etcd`. */
export function markMoved(directory: string, where: string): void {
  replaceDurable(join(directory, MARK), `${where}\n`)
}

export function forgetMoved(directory: string): void {
  rmSync(join(directory, MARK), { force: true })
}

export function isMoved(directory: string): boolean {
  return existsSync(join(directory, MARK))
}

/** Throws a Fault for a directory whose objects are elsewhere. */
export function refuseMoved(directory: string): void {
  const file = join(directory, MARK)
  let where: string
  try {
    where = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  throw new Fault(
    `the objects of ${directory} were migrated to ${where}; start with --store etcd, or delete ${file} to go on with them as they were before`,
  )
}
