// A unit on disk: one folder, written by the driver and the unit's keeper, and read by later drivers. Files are written
// atomically.

import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessIdentity } from './process-identity.ts'

export const FILES = {
  /** What to run. Written first. */
  unit: 'unit.json',
  /** Permission to start. The keeper renames it before it starts anything, a later driver to withdraw it: one of them wins. */
  go: 'go',
  going: 'going',
  withdrawn: 'withdrawn',
  /** The identity of the keeper. The unit runs exactly as long as its keeper. */
  keeper: 'keeper.json',
  /** The program itself, once it runs. */
  program: 'program.json',
  exit: 'exit.json',
  /** The default working directory of the program. */
  work: 'work',
} as const

export interface UnitFile {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingDir: string
  readonly graceSeconds: number
  readonly logLimitBytes: number
}

export interface ProgramFile extends ProcessIdentity {
  readonly startedAt: number
}

export interface ExitFile {
  readonly finishedAt: number
  readonly exitCode: number
  readonly reason: string
  readonly message?: string
  /** The program could not be started at all. */
  readonly neverRan?: boolean
}

/** Undefined when the file does not exist. */
export async function readUnitFile<T>(folder: string, name: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const message = `cannot read ${join(folder, name)}: end what runs there, remove the folder, and try again`
    throw new Error(message, { cause: error })
  }
}

/** Resolves when the file is durable under its name. */
export async function writeUnitFile(folder: string, name: string, content: object): Promise<void> {
  const path = join(folder, name)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(content))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}

/** Makes names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
