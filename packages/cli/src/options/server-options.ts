// Options about several servers of one store. A part of the table in option-table.ts.

import { option } from './option.ts'
import { duration, optional, path, text } from './value-type.ts'

export const serverOptions = {
  'join-file': option(
    optional(path('FILE')),
    undefined,
    'File with the code of `homeostat server join-code`, by which this server gets the keys of the others; deleted then.',
    { env: 'HOMEOSTAT_JOIN_FILE' },
  ),
  'join-for': option(duration(60_000), '15m', 'How long the code may be used.', { flag: 'for' }),
  'join-code-file': option(
    optional(text('FILE')),
    undefined,
    'The file to write, readable by you alone, instead of standard output.',
    { flag: 'out', short: 'o' },
  ),
  'passphrase-file': option(
    optional(path('FILE')),
    undefined,
    'File with a passphrase that the keys are encrypted with. Without it whoever reads the keys has them.',
  ),
}
