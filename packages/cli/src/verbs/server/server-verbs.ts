// The verbs of `homeostat server`: about several servers of one store.

import { joinCodeOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { joinCode } from './join-code.ts'

export const serverVerbs: VerbTable = {
  'join-code': {
    summary: 'Print the code with which one new server gets the keys of this one.',
    operands: '',
    options: joinCodeOptions,
    run: (values, operands, terminal) => joinCode(values, operands, terminal),
  },
}
