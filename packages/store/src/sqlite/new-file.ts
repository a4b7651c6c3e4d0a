// Creates a file atomically: writes it under another name, syncs it, then links it to its own name, which fails if the
// name is taken. Backups and restores use it.

import { closeSync, constants, openSync } from 'node:fs'
import { access, link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function createWhole(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  if (await exists(file)) throw new Error(`${file} already exists; choose a name that is free`)
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  try {
    createPrivate(partial)
    await write(partial)
    await sync(partial)
    await link(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  await sync(dirname(file))
}

/** Makes an empty file that only its owner can read, if there is none: the data holds secrets. */
export function createPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}

export async function exists(file: string): Promise<boolean> {
  return access(file, constants.F_OK).then(
    () => true,
    () => false,
  )
}

/** Syncs a file, or a directory so that its new names survive a power cut. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
