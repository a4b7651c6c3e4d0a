// The verbs of `homeostat token-key`, which work on the data directory; the server may be running.

import { dataOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { dropTokenKey, listTokenKeys, rotateTokenKey } from './token-keys.ts'

export const tokenKeyVerbs: VerbTable = {
  list: {
    summary: 'Show the keys of service account tokens by their names.',
    operands: '',
    options: dataOptions,
    run: (values, operands, terminal) => listTokenKeys(values, operands, terminal),
  },
  rotate: {
    summary: 'Sign new tokens with a new key; tokens of the former ones stay valid until they are dropped.',
    operands: '',
    options: dataOptions,
    run: (values, operands, terminal) => rotateTokenKey(values, operands, terminal),
  },
  drop: {
    summary: 'Refuse all tokens of a key, by its name or the beginning of it.',
    operands: 'NAME',
    options: dataOptions,
    run: (values, operands, terminal) => dropTokenKey(values, operands, terminal),
  },
}
