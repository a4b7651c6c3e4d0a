// The verbs of `homeostat queue`.

import { colonyOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { pauseQueue } from './pause.ts'
import { queueStatus } from './status.ts'

export const queueVerbs: VerbTable = {
  pause: {
    summary: 'Give out nothing more; what runs goes on.',
    operands: '',
    options: colonyOptions,
    run: (values, operands, terminal) => pauseQueue(values, operands, terminal, true),
  },
  resume: {
    summary: 'Give out what waits again.',
    operands: '',
    options: colonyOptions,
    run: (values, operands, terminal) => pauseQueue(values, operands, terminal, false),
  },
  status: {
    summary: 'Show how much waits and runs, for and by which type of executor.',
    operands: '',
    options: colonyOptions,
    run: (values, operands, terminal) => queueStatus(values, operands, terminal),
  },
}
