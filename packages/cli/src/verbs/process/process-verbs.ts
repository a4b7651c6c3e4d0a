// The verbs of `homeostat process`. Lists and YAML are kubectl's.

import { colonyOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { cancelProcess } from './cancel.ts'
import { processLogs } from './logs.ts'
import { retryProcess } from './retry.ts'
import { submitProcess } from './submit.ts'
import { waitForProcess } from './wait.ts'

export const submitOptions = [
  'type',
  'arg',
  'kwarg',
  'env',
  'name',
  'label',
  'priority',
  'max-wait',
  'max-exec',
  'max-retries',
  'location',
  'executor',
  'concurrency-key',
  'ttl',
  'file',
  'wait',
  'timeout',
  ...colonyOptions,
] as const
export const waitOptions = ['timeout', ...colonyOptions] as const
export const logsOptions = ['follow', 'tail', 'since', 'timestamps', ...colonyOptions] as const
export const cancelOptions = ['wait', 'timeout', ...colonyOptions] as const
export const retryOptions = ['wait', 'timeout', ...colonyOptions] as const

const LISTS = ['To look at the queue: kubectl get processes -n NAMESPACE -w']

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
