// The verbs about any object, as kubectl has them, for people without kubectl. Words and exit codes are kubectl's.

import type { Fault } from '../../fault.ts'
import {
  applyOptions,
  deleteOptions,
  diffOptions,
  getOptions,
  logsOptions,
  waitOptions,
} from '../../options/option-groups.ts'
import type { Terminal } from '../../terminal.ts'
import type { VerbTable } from '../verb-row.ts'

const failed = failedWith(1)

export const objectVerbs: VerbTable = {
  apply: {
    summary: 'Create or change objects as files say, definitions before their resources.',
    operands: '-f FILE',
    options: applyOptions,
    failed,
    run: async (values, operands, terminal) => (await import('./apply.ts')).apply(values, operands, terminal),
  },
  get: {
    summary: 'Show objects of any kind, as tables or as they are.',
    operands: 'TYPE [NAME...]',
    options: getOptions,
    notes: [
      'homeostat get pods                     homeostat get deployments,pods -A -l app=web',
      'homeostat get lamp/desk -o yaml        homeostat get lamps -w',
    ],
    completes: 'object',
    failed,
    run: async (values, operands, terminal) => (await import('./get.ts')).get(values, operands, terminal),
  },
  delete: {
    summary: 'Delete objects, and wait until they are gone.',
    operands: 'TYPE NAME... | -f FILE',
    options: deleteOptions,
    completes: 'object',
    failed,
    run: async (values, operands, terminal) => (await import('./delete.ts')).deleteObjects(values, operands, terminal),
  },
  wait: {
    summary: 'Wait until objects meet a condition, exist, or are gone.',
    operands: 'TYPE/NAME --for=WHAT',
    options: waitOptions,
    completes: 'object',
    failed,
    run: async (values, operands, terminal) => (await import('./wait.ts')).wait(values, operands, terminal),
  },
  diff: {
    summary: 'Show what an apply would change.',
    operands: '-f FILE',
    options: diffOptions,
    notes: ['Exit codes: 0 nothing differs, 1 something does, 2 it failed'],
    failed: failedWith(2),
    run: async (values, operands, terminal) => (await import('./diff.ts')).diff(values, operands, terminal),
  },
  logs: {
    summary: 'Print the logs of pods, or of a process: process/NAME.',
    operands: 'POD | TYPE/NAME',
    options: logsOptions,
    completes: 'pod',
    failed,
    run: async (values, operands, terminal) => (await import('./logs.ts')).logs(values, operands, terminal),
  },
}

function failedWith(exitCode: number) {
  return async (fault: Fault, terminal: Terminal): Promise<number> => {
    terminal.error(`${(await import('./problems.ts')).failureText(fault)}\n`)
    return exitCode
  }
}
