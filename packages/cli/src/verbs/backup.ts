// `homeostat backup FILE`: a consistent copy of the data directory, also while a server uses it.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { backupDirectory } from '@homeostat/store'
import { Fault } from '../fault.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { oneFile } from './operands.ts'
import type { dataOptions } from './verb-table.ts'

type BackupValues = Values<(typeof dataOptions)[number]>

export async function backup(values: BackupValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const file = resolve(oneFile(operands, 'backup'))
  const directory = resolve(values['data-dir'])
  if (!existsSync(directory)) throw new Fault(`there is no data directory ${directory}; name it with --data-dir`)
  if (existsSync(file)) throw new Fault(`${file} exists already; a backup never overwrites a file`)
  try {
    await backupDirectory(directory, file)
  } catch (cause) {
    throw new Fault(`the backup failed: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  terminal.out(`${directory} was copied to ${file}\n`)
  return 0
}
