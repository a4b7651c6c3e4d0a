// The verbs of `homeostat executor`.

import type { VerbTable } from '../verb-row.ts'
import { listExecutors, listOptions } from './list.ts'
import { runExecutor, runOptions } from './run.ts'

export const executorVerbs: VerbTable = {
  run: {
    summary: 'Be an executor: take processes from the queue and run them, until a signal ends it.',
    operands: '--type TYPE',
    options: runOptions,
    notes: [
      'Functions: echo answers its arguments, sleep waits for seconds, execute (with --allow-commands) runs a program.',
      'The end of it waits for what runs, for 30 s at most; a second signal ends it at once.',
    ],
    run: (values, operands, terminal) => runExecutor(values, operands, terminal),
  },
  list: {
    summary: 'List executors, when they were last seen and how much they run.',
    operands: '',
    options: listOptions,
    run: (values, operands, terminal) => listExecutors(values, operands, terminal),
  },
}
