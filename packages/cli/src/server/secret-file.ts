// Reads files that only the user of the server may read: keys, passwords, codes. One that everybody may read is refused.

import { readFileSync, statSync } from 'node:fs'
import { messageOf } from '@homeostat/base'
import { Fault, systemCode } from '../fault.ts'

const FOR_OTHERS = 0o007
const FOR_ITS_GROUP = 0o077

/** `flag` is what names the file, for the Fault. A group may read it where an administrator says so, as for Secrets mounted into a Pod. */
export function readSecretFile(file: string, flag: string, { group = false } = {}): string {
  try {
    const forbidden = group ? FOR_OTHERS : FOR_ITS_GROUP
    if (process.platform !== 'win32' && (statSync(file).mode & forbidden) !== 0)
      throw new Error(`others may read it; run chmod ${group ? 'o' : 'go'}-rwx ${file}`)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault(`${flag} ${file} cannot be used: ${systemCode(cause) ?? messageOf(cause)}`, { cause })
  }
}

/** The same without the end of its last line; empty is refused. */
export function readSecretLine(file: string, flag: string, options: { group?: boolean } = {}): string {
  const line = readSecretFile(file, flag, options).replace(/\r?\n$/, '')
  if (line === '') throw new Fault(`${flag} ${file} is empty`)
  return line
}
