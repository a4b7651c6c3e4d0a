// Makes the data directory and opens the store in it. What can go wrong is said in one line a person can act on.

import { accessSync, constants, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DamagedRecord, MemoryStore, openSqliteStore, type Store } from '@homeostat/store'
import { endEarlyThread } from '@homeostat/store/early'
import { Fault, systemCode } from '../fault.ts'
import type { Values } from '../options/option-table.ts'
import type { storeOptions } from '../verbs/verb-table.ts'

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

/** What a person should know of the data goes to `warn`, before the store is answered. */
export async function openStore(
  values: Values<(typeof storeOptions)[number]>,
  directory: string,
  onDamage: (record: DamagedRecord) => void,
  warn: (warning: string) => void,
): Promise<Store> {
  if (values.store === 'memory') {
    endEarlyThread()
    return new MemoryStore()
  }
  try {
    return await openSqliteStore({
      directory,
      maxPendingWrites: values['max-pending-writes'],
      horizonMs: values.horizon,
      horizonChanges: values['horizon-changes'],
      historyPerKey: values['history-versions'],
      historyMs: values['history-age'],
      historyBytes: values['history-size'],
      willReadAll: true,
      onLoss: values['on-loss'],
      onWarning: warn,
      onDamage,
    })
  } catch (cause) {
    throw new Fault(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
