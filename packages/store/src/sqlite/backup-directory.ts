// Copies the data of a directory to a new file over a connection of its own, so that a server may be using it.
// `homeostat backup` calls it; a store that is open in this process has `backup` for the log alone.

import { join } from 'node:path'
import { type AttachedFile, attachFiles } from './attached-files.ts'
import { DATA_FILE } from './format.ts'
import { createWhole, exists } from './new-file.ts'
import { DatabaseSync } from './node-sqlite.ts'

/** The files go into the backup too. */
export async function backupDirectory(
  directory: string,
  file: string,
  files: readonly AttachedFile[] = [],
): Promise<void> {
  const data = join(directory, DATA_FILE)
  if (!(await exists(data))) throw new Error(`${directory} holds no data`)
  await createWhole(file, async (partial) => {
    copy(data, partial)
    attachFiles(partial, files)
  })
}

/** One read transaction, which is a snapshot of one revision. It takes no lock that a writer would wait for. */
function copy(data: string, target: string): void {
  const db = new DatabaseSync(data, { timeout: 5000 })
  try {
    db.prepare('VACUUM INTO ?').run(target)
  } finally {
    db.close()
  }
}
