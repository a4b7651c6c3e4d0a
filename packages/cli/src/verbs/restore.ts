// `homeostat restore FILE`: puts a backup into a data directory that holds no objects yet.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { restoreBackup } from '@homeostat/store'
import { Fault } from '../fault.ts'
import type { Values } from '../options/option-table.ts'
import { makeDataDirectory } from '../server/data-directory.ts'
import type { Terminal } from '../terminal.ts'
import { oneFile } from './operands.ts'
import type { dataOptions } from './verb-table.ts'

type RestoreValues = Values<(typeof dataOptions)[number]>

export async function restore(values: RestoreValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const file = resolve(oneFile(operands, 'restore'))
  if (!existsSync(file)) throw new Fault(`there is no file ${file}`)
  const directory = makeDataDirectory(values['data-dir'])
  try {
    await restoreBackup(file, directory)
  } catch (cause) {
    throw new Fault(`nothing was restored: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  terminal.out(`${file} was restored into ${directory}; every client will list anew\n`)
  return 0
}
