// Puts a backup in place as the data of a directory. The revision jumps above all that were ever given out there, and
// the horizon with it, so that every client lists again, whether it knows the lost future or the past. The command line
// runs it while no server uses the directory.

import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type AttachedFile, detachFiles } from './attached-files.ts'
import { Database } from './database.ts'
import { firstFree } from './first-free.ts'
import { DATA_FILE, openFormat } from './format.ts'
import { HIGH_WATER_FILE } from './high-water.ts'
import { lockDirectory } from './lock.ts'
import { createWhole, exists, sync } from './new-file.ts'
import { DatabaseSync } from './node-sqlite.ts'
import { Reservation } from './reservation.ts'
import { damagedRecords } from './verify.ts'

const MOST_NAMED = 5

export interface RestoreOptions {
  /** Move existing data aside instead of refusing. Default false. */
  readonly replace?: boolean
  /** Gets the files that came with the backup, once it is known to be sound and before its data are in place. */
  readonly placeFiles?: (files: readonly AttachedFile[]) => void
}

/** Returns the revision that the restored store starts from. */
export async function restoreBackup(file: string, directory: string, options: RestoreOptions = {}): Promise<number> {
  const target = join(resolve(directory), DATA_FILE)
  if (!(await exists(file))) throw new Error(`there is no backup ${file}`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = lockDirectory(resolve(directory))
  try {
    if (await exists(target)) {
      if (!options.replace) throw new Error(`${directory} already holds data; restore into an empty directory`)
      await moveAside(target)
    }
    let revision = 0
    await createWhole(target, async (partial) => {
      await copyFile(file, partial)
      // A copy has the mode of its original, which may have been opened up to others.
      await chmod(partial, 0o600)
      const restored = prepareRestored(partial, file, resolve(directory))
      revision = restored.revision
      options.placeFiles?.(restored.files)
      // The mark belongs to the data that was here before.
      await rm(join(directory, HIGH_WATER_FILE), { force: true })
    })
    return revision
  } finally {
    lock.release()
  }
}

/** Keeps what is replaced, so that a mistaken restore can be undone by hand. */
async function moveAside(target: string): Promise<void> {
  const aside = `${target}.replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`
  for (const suffix of ['-wal', '-shm', '']) {
    if (await exists(target + suffix)) await rename(target + suffix, aside + suffix)
  }
  await sync(resolve(target, '..'))
}

interface Restored {
  readonly revision: number
  readonly files: readonly AttachedFile[]
}

function prepareRestored(copy: string, original: string, directory: string): Restored {
  checkIntegrity(copy, original)
  const db = new Database({ file: copy, role: 'writer' })
  try {
    const state = openFormat(db, original)
    const revision = firstFree(directory, state.revision)
    const damaged = damagedRecords(db, MOST_NAMED)
    if (damaged.length > 0)
      throw new Error(`${original} is damaged: ${damaged.map(({ problem }) => problem).join('; ')}`)
    new Reservation(directory, state.uid).cover(revision)
    db.query('schema', "UPDATE meta SET value = ? WHERE name = 'horizon'", revision)
    const files = detachFiles(db)
    // One file, with no log beside it that the move into place would leave behind.
    db.exec('pragma', 'PRAGMA journal_mode = DELETE')
    return { revision, files }
  } finally {
    db.close()
  }
}

function checkIntegrity(copy: string, original: string): void {
  let found: unknown
  try {
    const db = new DatabaseSync(copy, { readOnly: true })
    try {
      found = db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check
    } finally {
      db.close()
    }
  } catch (error) {
    throw new Error(`${original} is not a Homeostat backup`, { cause: error })
  }
  if (found !== 'ok') throw new Error(`${original} is damaged: ${String(found)}`)
}
