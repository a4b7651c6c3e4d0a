// The one import of node:sqlite. Node 22 warns while it loads the module that it is experimental, which is nothing for
// the people who run a server; only that warning is kept back, since nothing else runs while a built-in module loads.

import type { DatabaseSync as Connection } from 'node:sqlite'

const emitWarning = process.emitWarning
process.emitWarning = () => {}
export const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
process.emitWarning = emitWarning

export type DatabaseSync = Connection
export type { SQLInputValue, StatementSync } from 'node:sqlite'
