// `homeostat restore FILE`: restores a backup into a data directory without objects.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import type { AttachedFile } from '@homeostat/store'
import { restoreBackup } from '@homeostat/store/maintenance'
import { Fault } from '../fault.ts'
import type { dataOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { makeDataDirectory } from '../server/data-directory.ts'
import { placeKeys } from '../server/pki-folder.ts'
import type { Terminal } from '../terminal.ts'
import { oneFile } from './operands.ts'

type RestoreValues = Values<(typeof dataOptions)[number]>

export async function restore(values: RestoreValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const file = resolve(oneFile(operands, 'restore'))
  if (!existsSync(file)) throw new Fault(`there is no file ${file}`)
  const directory = makeDataDirectory(values['data-dir'])
  let keys = ''
  try {
    const placeFiles = (files: readonly AttachedFile[]) => {
      keys = sayKeys(directory, files)
    }
    await restoreBackup(file, directory, { placeFiles })
  } catch (cause) {
    throw new Fault(`nothing was restored: ${messageOf(cause)}`, { cause })
  }
  terminal.out(`${file} was restored into ${directory}; every client will list anew\n${keys}`)
  return 0
}

/** Installs the keys, and returns a line about the tokens that they sign. */
function sayKeys(directory: string, files: readonly AttachedFile[]): string {
  if (files.length === 0)
    return 'the backup holds no keys: tokens and certificates given out before are refused, unless you bring back pki/ by hand\n'
  const aside = placeKeys(directory, files)
  return aside === undefined ? '' : `other keys were in the directory; they are now in ${aside}\n`
}
