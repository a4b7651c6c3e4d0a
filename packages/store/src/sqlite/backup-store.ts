// Writes a backup of a store that is open in this process, with files beside its log. `homeostat backup` calls it for a store whose data
// are not in the data directory.

import { rm } from 'node:fs/promises'
import type { StoreUpkeep } from '../contract.ts'
import { type AttachedFile, attachFiles } from './attached-files.ts'
import { createWhole } from './new-file.ts'

export async function backupStore(
  store: Pick<StoreUpkeep, 'backup'>,
  file: string,
  files: readonly AttachedFile[],
): Promise<void> {
  await createWhole(file, async (partial) => {
    // The store makes the file itself, and overwrites none.
    await rm(partial)
    await store.backup(partial)
    attachFiles(partial, files)
  })
}
