// The verbs of `homeostat keys`, which work on the data directory; the server may be running.

import { keyFileOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { exportKeys, importKeys } from './keys-file-verbs.ts'

export const keysVerbs: VerbTable = {
  export: {
    summary: 'Write the keys of the server to a file, for another server of the same store.',
    operands: 'FILE',
    options: keyFileOptions,
    completes: 'file',
    run: (values, operands, terminal) => exportKeys(values, operands, terminal),
  },
  import: {
    summary: 'Take over the keys in such a file; a running server with TLS uses them within seconds.',
    operands: 'FILE',
    options: keyFileOptions,
    completes: 'file',
    run: (values, operands, terminal) => importKeys(values, operands, terminal),
  },
}
