// The verbs of `homeostat process`. `homeostat get processes` lists them.

import type { VerbTable } from '../verb-row.ts'
import { cancelOptions, cancelProcess } from './cancel.ts'
import { logsOptions, processLogs } from './logs.ts'
import { submitOptions } from './process-manifest.ts'
import { retryOptions, retryProcess } from './retry.ts'
import { submitProcess } from './submit.ts'
import { waitForProcess, waitOptions } from './wait.ts'

const LISTS = ['To look at the queue: homeostat get processes -n NAMESPACE -w']

export const processVerbs: VerbTable = {
  submit: {
    summary: 'Put a process into the queue and print its name, or with --wait its output.',
    operands: 'FUNCTION --type TYPE',
    options: submitOptions,
    notes: LISTS,
    run: (values, operands, terminal) => submitProcess(values, operands, terminal),
  },
  wait: {
    summary: 'Wait for the end of a process and print its output.',
    operands: 'NAME',
    options: waitOptions,
    notes: ['Exit codes: 0 it succeeded, 4 it failed, 5 it was cancelled, 6 the time was up'],
    completes: 'process',
    run: (values, operands, terminal) => waitForProcess(values, operands, terminal),
  },
  logs: {
    summary: 'Print what a process has written.',
    operands: 'NAME',
    options: logsOptions,
    completes: 'process',
    run: (values, operands, terminal) => processLogs(values, operands, terminal),
  },
  cancel: {
    summary: 'Ask for the end of a process.',
    operands: 'NAME',
    options: cancelOptions,
    completes: 'process',
    run: (values, operands, terminal) => cancelProcess(values, operands, terminal),
  },
  retry: {
    summary: 'Submit a process that has ended once more, under a new name.',
    operands: 'NAME',
    options: retryOptions,
    notes: LISTS,
    completes: 'process',
    run: (values, operands, terminal) => retryProcess(values, operands, terminal),
  },
}
