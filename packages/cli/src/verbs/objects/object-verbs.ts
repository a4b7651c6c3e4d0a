// The verbs about any object, as kubectl has them, for people without kubectl. Words and exit codes are kubectl's. The code of a
// verb is imported when the verb runs.

import { Fault } from '../../fault.ts'
import {
  applyOptions,
  colonyOptions,
  deleteOptions,
  diffOptions,
  getOptions,
  historyOptions,
  logsOptions,
  rollbackOptions,
  waitOptions,
  whyOptions,
} from '../../options/option-groups.ts'
import type { Terminal } from '../../terminal.ts'
import type { VerbTable } from '../verb-row.ts'

const failed = failedWith(1)

/** Which objects left the files is known only to who keeps a list of them. */
const NO_PRUNE =
  'nothing is pruned: give the objects of the files a label, and delete those that left with `homeostat delete TYPE -l LABELS`'
const PRUNE = { prune: NO_PRUNE, 'prune-allowlist': NO_PRUNE, applyset: NO_PRUNE }

export const objectVerbs: VerbTable = {
  apply: {
    summary: 'Create or change objects as files say, definitions before their resources.',
    operands: '-f FILE | -k FOLDER',
    options: applyOptions,
    refuses: { ...PRUNE, force: 'an apply deletes nothing: `homeostat delete` the object first' },
    failed,
    run: async (values, operands, terminal) =>
      (await import('./apply.ts')).apply(await withKustomization(values, terminal), operands, terminal),
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
    run: async (values, operands, terminal) =>
      (await import('./get.ts')).get(await withKustomization(values, terminal), operands, terminal),
  },
  delete: {
    summary: 'Delete objects, and wait until they are gone.',
    operands: 'TYPE NAME... | -f FILE',
    options: deleteOptions,
    completes: 'object',
    failed,
    run: async (values, operands, terminal) =>
      (await import('./delete.ts')).deleteObjects(await withKustomization(values, terminal), operands, terminal),
  },
  wait: {
    summary: 'Wait until objects meet a condition, exist, or are gone.',
    operands: 'TYPE/NAME --for=WHAT',
    options: waitOptions,
    completes: 'object',
    failed,
    run: async (values, operands, terminal) =>
      (await import('./wait.ts')).wait(await withKustomization(values, terminal), operands, terminal),
  },
  diff: {
    summary: 'Show what an apply would change, or what changed between generations.',
    operands: '-f FILE | -k FOLDER | TYPE NAME --from G [--to G]',
    options: diffOptions,
    refuses: PRUNE,
    notes: ['Exit codes: 0 nothing differs, 1 something does, 2 it failed'],
    completes: 'object',
    failed: failedWith(2),
    run: async (values, operands, terminal) =>
      (await import('./diff.ts')).diff(await withKustomization(values, terminal), operands, terminal),
  },
  history: {
    summary: 'Show the generations of an object, with who wrote each and when.',
    operands: 'TYPE NAME',
    options: historyOptions,
    notes: [
      'homeostat history lamp desk            homeostat history lamp desk --generation 2',
      'Kinds without generations have revisions in their place.',
    ],
    completes: 'object',
    failed,
    run: async (values, operands, terminal) =>
      (await import('../history/history.ts')).history(values, operands, terminal),
  },
  rollback: {
    summary: 'Update an object to what an older generation asked for.',
    operands: 'TYPE NAME --to G',
    options: rollbackOptions,
    completes: 'object',
    failed,
    run: async (values, operands, terminal) =>
      (await import('../history/rollback.ts')).rollback(values, operands, terminal),
  },
  undelete: {
    summary: 'Make a deleted object again, while its history lasts.',
    operands: 'TYPE NAME',
    options: colonyOptions,
    failed,
    run: async (values, operands, terminal) =>
      (await import('../history/undelete.ts')).undelete(values, operands, terminal),
  },
  why: {
    summary: 'Tell which changes, by whom, made which controllers run, and what they wrote.',
    operands: 'TYPE NAME',
    options: whyOptions,
    notes: ['homeostat why deployment web           homeostat why lamp/desk -o yaml'],
    completes: 'object',
    failed,
    run: async (values, operands, terminal) => (await import('../why/why.ts')).why(values, operands, terminal),
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

interface Named {
  readonly filename: readonly string[]
  readonly kustomize: string | undefined
}

/** The files of -k as if they were named with -f. */
async function withKustomization<V extends Named>(values: V, terminal: Terminal): Promise<V> {
  if (values.kustomize === undefined) return values
  if (values.filename.length > 0) throw new Fault('only one of -f or -k can be specified')
  // Only -k needs it.
  const { kustomizedFiles } = await import('../../access/kustomization.ts')
  return { ...values, filename: await kustomizedFiles(values.kustomize, terminal) }
}

function failedWith(exitCode: number) {
  return async (fault: Fault, terminal: Terminal): Promise<number> => {
    // Only a verb that fails needs it.
    terminal.error(`${(await import('./problems.ts')).failureText(fault)}\n`)
    return exitCode
  }
}
