// Verbs on a store that no server has open: backup, check, restore, salvage, migrate. A server needs none of their code.

export { type Copied, type CopyOptions, copyStore, isEmpty, isIncomplete } from './migrate/copy-store.ts'
export { backupDirectory } from './sqlite/backup-directory.ts'
export { backupStore } from './sqlite/backup-store.ts'
export type { CheckListener, CheckReport } from './sqlite/check-directory.ts'
export { checkDirectory } from './sqlite/check-directory.ts'
export { type DirectoryLock, lockDirectory } from './sqlite/lock.ts'
export { raiseSqliteRevisions } from './sqlite/raise-revisions.ts'
export type { RestoreOptions } from './sqlite/restore.ts'
export { restoreBackup } from './sqlite/restore.ts'
export type { Salvaged } from './sqlite/salvage/salvage.ts'
export { salvageDirectory } from './sqlite/salvage/salvage.ts'
