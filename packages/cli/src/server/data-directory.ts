// Creates the data directory and opens the store in it. Failures become Faults.

import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { type DamagedRecord, MemoryStore, openSqliteStore, type Store } from '@homeostat/store'
import { endEarlyThread } from '@homeostat/store/early'
import { Fault, systemCode, usageFault } from '../fault.ts'
import type { storeOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { historySettings } from './history-settings.ts'
import { refuseMoved } from './moved-store.ts'
import { refuseOwnStore } from './served-store.ts'

/** Returns the absolute path. Only its owner may read it, because it contains Secrets. */
export function makeDataDirectory(folder: string): string {
  const directory = resolve(folder)
  try {
    makeFolder(directory)
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

/** Creates one folder at a time: in Node 24 a recursive mkdir never returns on file systems without folders, such as /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

/** Turns errors that a person can mend into Faults: a full disk, an etcd that stops answering, and writes that the store refused. */
export async function startFault(cause: unknown, directory: string): Promise<unknown> {
  if (!(cause instanceof Error) || cause instanceof Fault) return cause
  // By its name, since a server on its own disk loads nothing of etcd.
  if (cause.name === 'EtcdError') return (await import('./etcd-store.ts')).etcdFault(cause)
  if (systemCode(cause) === 'ENOSPC' || /\bdisk is full\b/.test(cause.message)) {
    return new Fault(`the disk of ${directory} is full; make room there and start again`, { cause })
  }
  if (cause.name === 'StartRefusal') return new Fault(cause.message, { cause })
  return isStatusError(cause) ? new Fault(`the server could not start: ${cause.message}`, { cause }) : cause
}

export interface StoreListener {
  damaged(record: DamagedRecord): void
  warn(warning: string): void
}

export async function openStore(
  values: Values<(typeof storeOptions)[number]>,
  directory: string,
  env: Terminal['env'],
  listener: StoreListener,
): Promise<Store> {
  if (values.store !== 'etcd' && values.etcd.length > 0) throw usageFault('--etcd goes with --store etcd')
  if (values.store !== 'sqlite') endEarlyThread()
  if (values.store === 'memory') return new MemoryStore()
  if (values.store === 'etcd') {
    // A client of etcd is a tenth of the server's code.
    const { openEtcdForServer } = await import('./etcd-store.ts')
    return openEtcdForServer(values, directory, env, listener.warn)
  }
  refuseMoved(directory)
  refuseOwnStore(directory)
  try {
    return await openSqliteStore({
      directory,
      maxPendingWrites: values['max-pending-writes'],
      horizonMs: values.horizon,
      horizonChanges: values['horizon-changes'],
      ...historySettings(values),
      willReadAll: true,
      onLoss: values['on-loss'],
      onWarning: listener.warn,
      onDamage: listener.damaged,
    })
  } catch (cause) {
    const fault = await startFault(cause, directory)
    throw fault instanceof Fault ? fault : new Fault(messageOf(cause), { cause })
  }
}
