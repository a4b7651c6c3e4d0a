// Makes the data directory and opens the store in it. What can go wrong is said in one line a person can act on.

import { accessSync, constants, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryStore, openSqliteStore, type Store } from '@homeostat/store'
import { Fault, systemCode } from '../fault.ts'

/** Answers the absolute path. Only its owner may read what is in it: Secrets are. */
export function makeDataDirectory(folder: string): string {
  const directory = resolve(folder)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const code = systemCode(cause)
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a folder' : `cannot be written to (${code ?? cause})`
    throw new Fault(`the data directory ${directory} ${why}; choose another with --data-dir or HOMEOSTAT_DATA`, {
      cause,
    })
  }
  return directory
}

export async function openStore(driver: 'sqlite' | 'memory', directory: string): Promise<Store> {
  if (driver === 'memory') return new MemoryStore()
  try {
    return await openSqliteStore({ directory })
  } catch (cause) {
    throw new Fault(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
