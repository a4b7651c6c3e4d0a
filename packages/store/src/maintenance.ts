// Verbs on a data directory that no server has open: backup, check, restore, salvage. A server needs none of their code.

export { backupDirectory } from './sqlite/backup-directory.ts'
export type { CheckListener, CheckReport } from './sqlite/check-directory.ts'
export { checkDirectory } from './sqlite/check-directory.ts'
export { lockDirectory } from './sqlite/lock.ts'
export type { RestoreOptions } from './sqlite/restore.ts'
export { restoreBackup } from './sqlite/restore.ts'
export type { Salvaged } from './sqlite/salvage/salvage.ts'
export { salvageDirectory } from './sqlite/salvage/salvage.ts'
