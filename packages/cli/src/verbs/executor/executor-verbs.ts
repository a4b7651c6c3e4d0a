// The verbs of `homeostat executor`.

import type { VerbTable } from '../verb-row.ts'
import { approvalOptions, approveExecutor, rejectExecutor, revokeExecutor } from './approve.ts'
import { bootstrapOptions, makeBootstrapToken } from './bootstrap-token.ts'
import { createExecutor, createOptions } from './create.ts'
import { joinExecutor, joinOptions } from './join.ts'
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
  create: {
    summary: 'Make the credential of an executor: an account with its rights, and a file with its token.',
    operands: 'NAME --type TYPE',
    options: createOptions,
    run: (values, operands, terminal) => createExecutor(values, operands, terminal),
  },
  'bootstrap-token': {
    summary: 'Let a number of executors join for a time: prints the command for their machines.',
    operands: '--type TYPE',
    options: bootstrapOptions,
    run: (values, operands, terminal) => makeBootstrapToken(values, operands, terminal),
  },
  join: {
    summary: 'Trade the code of a bootstrap token for a credential of its own.',
    operands: 'CODE',
    options: joinOptions,
    run: (values, operands, terminal) => joinExecutor(values, operands, terminal),
  },
  approve: {
    summary: 'Let an executor work that joined with a bootstrap token made with --approval.',
    operands: 'NAME',
    options: approvalOptions,
    run: (values, operands, terminal) => approveExecutor(values, operands, terminal),
  },
  reject: {
    summary: 'Turn an executor away that waits for its approval.',
    operands: 'NAME',
    options: approvalOptions,
    run: (values, operands, terminal) => rejectExecutor(values, operands, terminal),
  },
  revoke: {
    summary: 'End the credential of an executor; what it holds is given to others.',
    operands: 'NAME',
    options: approvalOptions,
    run: (values, operands, terminal) => revokeExecutor(values, operands, terminal),
  },
}
