// Keeps the server's own keys in the data directory: the first start generates them, later starts read them.
// All files appear in one rename, so that a crash never leaves keys that do not match.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Pki, PkiFiles } from '@homeostat/apiserver/keys'
import type { AttachedFile } from '@homeostat/store'
import { Fault, systemCode } from '../fault.ts'
import { readNext, settleRotation } from './authority-rotation.ts'
import { writeDurable } from './durable-file.ts'

/** The key functions of the apiserver package; they load in parallel, so that a start does not wait for them. */
export interface PkiTools {
  makePki(): Promise<PkiFiles>
  /** Throws an Error that names the file. */
  readPki(files: PkiFiles): Pki
}

const FOLDER = 'pki'
const NAMES = ['ca.crt', 'ca.key', 'token.key'] as const
/** There while the authority rotates. */
const NEXT = ['ca-next.crt', 'ca-next.key'] as const

export async function openPki(directory: string, tools: PkiTools): Promise<Pki> {
  const folder = join(directory, FOLDER)
  settleRotation(folder)
  const files = readFiles(folder) ?? (await makeFiles(folder, tools))
  return readKeys(folder, files, tools.readPki)
}

/** Reads keys that are there. Throws a Fault when some are missing or wrong. */
export function readPkiFolder(directory: string, readPki: PkiTools['readPki']): Pki {
  const folder = join(directory, FOLDER)
  const files = readFiles(folder)
  if (files === undefined) throw new Fault(`${folder} has no keys; start the server once, which makes them`)
  return readKeys(folder, files, readPki)
}

export function pkiFolderOf(directory: string): string {
  return join(directory, FOLDER)
}

/** The paths of all keys, also of those that are not there now. */
export function pkiFilesOf(directory: string): string[] {
  return [...NAMES, ...NEXT].map((name) => join(directory, FOLDER, name))
}

function readKeys(folder: string, files: PkiFiles, readPki: PkiTools['readPki']): Pki {
  try {
    return readPki(files)
  } catch (cause) {
    const { message } = cause as Error
    throw new Fault(`${join(folder, message)}; ${ADVICE(folder)}`, { cause })
  }
}

/** The keys' files by their names; empty if no server was started yet. Throws a Fault when some are missing. */
export function keyFilesIn(directory: string): Readonly<Record<string, string>> {
  const files = readFiles(join(directory, FOLDER)) ?? {}
  return Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The same for a backup. */
export function keysForBackup(directory: string): AttachedFile[] {
  return Object.entries(keyFilesIn(directory)).map(([name, text]) => {
    return { name: `${FOLDER}/${name}`, content: Buffer.from(text) }
  })
}

/** Installs the keys of a backup. Existing keys are renamed, and the new name of their folder is returned. */
export function placeKeys(directory: string, attached: readonly AttachedFile[]): string | undefined {
  const inside = attached.filter(({ name }) => name.startsWith(`${FOLDER}/`))
  const named = inside.map(({ name, content }) => [name.slice(FOLDER.length + 1), Buffer.from(content).toString()])
  return placeKeyFiles(directory, Object.fromEntries(named))
}

/** The same for files by their names. */
export function placeKeyFiles(directory: string, files: Readonly<Record<string, string>>): string | undefined {
  const folder = join(directory, FOLDER)
  const lacking = NAMES.find((name) => files[name] === undefined)
  if (lacking !== undefined) throw new Fault(`there is no ${FOLDER}/${lacking} among the keys`)
  const aside = isEmpty(folder) ? undefined : `${folder}.replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`
  if (aside !== undefined) renameSync(folder, aside)
  writeFiles(folder, files as unknown as PkiFiles)
  return aside
}

const ADVICE = (folder: string) =>
  `bring it back from a backup, or move ${folder} away: the next start makes new keys, and tokens and certificates ` +
  'issued so far are no longer accepted'

/** Undefined when there are none yet. */
function readFiles(folder: string): PkiFiles | undefined {
  const files: Partial<Record<keyof PkiFiles, string>> = {}
  for (const name of NAMES) {
    const file = join(folder, name)
    try {
      files[name] = readFileSync(file, 'utf8')
    } catch (cause) {
      const code = systemCode(cause)
      if (code !== 'ENOENT') throw new Fault(`${file} cannot be read (${code ?? cause}); ${REPAIR}`, { cause })
      if (name === NAMES[0] && isEmpty(folder)) return undefined
      throw new Fault(`${file} is missing; ${ADVICE(folder)}`, { cause })
    }
  }
  const next = readNext(folder)
  return { ...(files as PkiFiles), ...next }
}

const REPAIR = 'the user who runs the server must own the folder and its files (modes 700 and 600)'

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}

async function makeFiles(folder: string, tools: PkiTools): Promise<PkiFiles> {
  const files = await tools.makePki()
  try {
    writeFiles(folder, files)
    return files
  } catch (cause) {
    // Another process was faster: use its keys.
    const others = readFiles(folder)
    if (others) return others
    throw new Fault(
      `the keys of the server cannot be written to ${folder} (${systemCode(cause) ?? cause}); ${REPAIR}`,
      {
        cause,
      },
    )
  }
}

/** All of them or none. */
function writeFiles(folder: string, files: PkiFiles): void {
  const unfinished = `${folder}.${process.pid}.tmp`
  try {
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { mode: 0o700 })
    for (const name of [...NAMES, ...NEXT]) {
      const text = files[name]
      if (text !== undefined) writeDurable(join(unfinished, name), text)
    }
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}
