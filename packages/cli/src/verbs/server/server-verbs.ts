// The verbs of `homeostat server`: about several servers of one store.

import { joinCodeOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { joinCode } from './join-code.ts'
import { listOptions, listServers } from './list.ts'

export const serverVerbs: VerbTable = {
  list: {
    summary: 'List the servers of one store, whether they are there, and what each of them leads.',
    operands: '',
    options: listOptions,
    run: (values, operands, terminal) => listServers(values, operands, terminal),
  },
  'join-code': {
    summary: 'Print the code with which one new server gets the keys of this one.',
    operands: '',
    options: joinCodeOptions,
    run: (values, operands, terminal) => joinCode(values, operands, terminal),
  },
}
