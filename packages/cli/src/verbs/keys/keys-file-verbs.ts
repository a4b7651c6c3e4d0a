// `homeostat keys export|import FILE`: carries the keys of a server to another one of the same store, in a file.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readPki } from '@homeostat/apiserver/keys'
import { messageOf } from '@homeostat/base'
import { Fault, systemCode } from '../../fault.ts'
import type { keyFileOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { makeDataDirectory } from '../../server/data-directory.ts'
import { writeDurable } from '../../server/durable-file.ts'
import { type KeyFiles, keyFileText, readKeyFile } from '../../server/key-file.ts'
import { keyFilesIn, placeKeyFiles, readPkiFolder } from '../../server/pki-folder.ts'
import { readSecretFile, readSecretLine } from '../../server/secret-file.ts'
import type { Terminal } from '../../terminal.ts'
import { oneFile } from '../operands.ts'

type KeyFileValues = Values<(typeof keyFileOptions)[number]>

export async function exportKeys(values: KeyFileValues, operands: readonly string[], terminal: Terminal) {
  const file = resolve(oneFile(operands, 'keys export'))
  const directory = resolve(values['data-dir'])
  // Says what is wrong with them before anything is written.
  readPkiFolder(directory, readPki)
  const passphrase = passphraseOf(values)
  try {
    writeDurable(file, keyFileText(keyFilesIn(directory), passphrase))
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') throw new Fault(`${file} exists already; keys never overwrite a file`)
    throw new Fault(`${file} cannot be written (${systemCode(cause) ?? cause})`, { cause })
  }
  const care = passphrase === undefined ? 'whoever reads it has them; --passphrase-file encrypts it' : 'it is encrypted'
  terminal.out(`the keys of ${directory} are in ${file}: ${care}\n`)
  return 0
}

export async function importKeys(values: KeyFileValues, operands: readonly string[], terminal: Terminal) {
  const file = resolve(oneFile(operands, 'keys import'))
  const files = readKeys(file, passphraseOf(values))
  const directory = makeDataDirectory(values['data-dir'])
  if (isSame(files, existsSync(resolve(directory, 'pki')) ? keyFilesIn(directory) : {})) {
    terminal.out(`${directory} has these keys already\n`)
    return 0
  }
  const aside = placeKeyFiles(directory, files)
  terminal.out(`the keys of ${file} are in ${directory}; delete the file\n`)
  if (aside !== undefined) terminal.out(`other keys were in the directory; they are now in ${aside}\n`)
  return 0
}

function passphraseOf({ 'passphrase-file': file }: KeyFileValues): string | undefined {
  return file === undefined ? undefined : readSecretLine(file, '--passphrase-file')
}

function readKeys(file: string, passphrase: string | undefined): KeyFiles {
  const text = readSecretFile(file, 'the file')
  try {
    const files = readKeyFile(text, passphrase)
    readPki(files as unknown as Parameters<typeof readPki>[0])
    return files
  } catch (cause) {
    throw new Fault(`${file}: ${messageOf(cause)}`, { cause })
  }
}

function isSame(some: KeyFiles, others: KeyFiles): boolean {
  const names = new Set([...Object.keys(some), ...Object.keys(others)])
  return [...names].every((name) => some[name] === others[name])
}
