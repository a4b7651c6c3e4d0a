// The verbs of `homeostat queue`.

import { colonyOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'

export const queueOptions = colonyOptions

export const queueVerbs: VerbTable = {
  pause: {
    summary: 'Give out nothing more; what runs goes on.',
    operands: '',
    options: queueOptions,
    run: async (values, operands, terminal) =>
      (await import('./pause.ts')).pauseQueue(values, operands, terminal, true),
  },
  resume: {
    summary: 'Give out what waits again.',
    operands: '',
    options: queueOptions,
    run: async (values, operands, terminal) =>
      (await import('./pause.ts')).pauseQueue(values, operands, terminal, false),
  },
  status: {
    summary: 'Show how much waits and runs, for and by which type of executor.',
    operands: '',
    options: queueOptions,
    run: async (values, operands, terminal) => (await import('./status.ts')).queueStatus(values, operands, terminal),
  },
}
