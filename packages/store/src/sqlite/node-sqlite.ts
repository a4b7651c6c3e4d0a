// The one import of node:sqlite. Node 22 warns that the module is experimental when it loads it, which does not concern
// those who run a server. Only that warning is suppressed, because nothing else runs while a built-in module loads.

import type { DatabaseSync as Connection } from 'node:sqlite'

const emitWarning = process.emitWarning
process.emitWarning = () => {}
export const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
process.emitWarning = emitWarning

export type DatabaseSync = Connection
export type { SQLInputValue, StatementSync } from 'node:sqlite'
