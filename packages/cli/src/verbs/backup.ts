// `homeostat backup FILE`: writes a consistent copy of the data, and with --with-keys of the server's keys, also while servers
// use them.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import type { AttachedFile } from '@homeostat/store'
import { backupDirectory, backupStore } from '@homeostat/store/maintenance'
import { Fault } from '../fault.ts'
import type { backupOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { keysForBackup } from '../server/pki-folder.ts'
import type { Terminal } from '../terminal.ts'
import { oneFile } from './operands.ts'

type BackupValues = Values<(typeof backupOptions)[number]>

export async function backup(values: BackupValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const file = resolve(oneFile(operands, 'backup'))
  const directory = resolve(values['data-dir'])
  if (!existsSync(directory)) throw new Fault(`there is no data directory ${directory}; name it with --data-dir`)
  if (existsSync(file)) throw new Fault(`${file} exists already; a backup never overwrites a file`)
  const keys = values['with-keys'] ? keysOrWarning(directory, terminal) : []
  if (values.store === 'etcd') await backupEtcd(values, file, keys, terminal)
  else await backupFiles(directory, file, keys)
  terminal.out(`${values.store === 'etcd' ? 'the store in etcd' : directory} was copied to ${file}\n`)
  if (!values['with-keys'])
    terminal.out(
      'it is without the keys: after a restore all tokens and certificates are refused; --with-keys adds them\n',
    )
  return 0
}

async function backupFiles(directory: string, file: string, keys: readonly AttachedFile[]): Promise<void> {
  try {
    await backupDirectory(directory, file, keys)
  } catch (cause) {
    const advice = existsSync(join(directory, 'homeostat.db'))
      ? ''
      : '; of servers on etcd, say where: --store etcd --etcd …'
    throw new Fault(`the backup failed: ${messageOf(cause)}${advice}`, { cause })
  }
}

async function backupEtcd(
  values: BackupValues,
  file: string,
  keys: readonly AttachedFile[],
  terminal: Terminal,
): Promise<void> {
  const [{ openEtcd }, { etcdSettings }] = await Promise.all([
    import('../server/etcd-store.ts'),
    import('../server/etcd-settings.ts'),
  ])
  const store = await openEtcd(etcdSettings(values, terminal.env))
  try {
    await backupStore(store, file, keys)
  } catch (cause) {
    throw new Fault(`the backup failed: ${messageOf(cause)}`, { cause })
  } finally {
    await store.close()
  }
}

/** Incomplete keys do not prevent a backup of the data. */
function keysOrWarning(directory: string, terminal: Terminal): AttachedFile[] {
  try {
    return keysForBackup(directory)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    terminal.error(`the backup is without keys: ${error.message}\n`)
    return []
  }
}
