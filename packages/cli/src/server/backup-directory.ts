// Copies the store of a data directory to a new file over a connection of its own, so that a server may be using it.

import { existsSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The file appears whole or not at all, and an existing one is never replaced. */
export async function backupDirectory(directory: string, file: string): Promise<void> {
  const data = join(directory, 'homeostat.db')
  if (!existsSync(data)) throw new Error(`${directory} holds no data`)
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  try {
    copy(data, partial)
    await sync(partial)
    await link(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  await sync(dirname(file))
}

/** One read transaction: a picture of one revision. Takes no lock that a writer would wait for. */
function copy(data: string, target: string): void {
  const db = new DatabaseSync(data, { timeout: 5000 })
  try {
    db.prepare('VACUUM INTO ?').run(target)
  } finally {
    db.close()
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
