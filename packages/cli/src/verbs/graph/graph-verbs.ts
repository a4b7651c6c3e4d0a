// The verbs of `homeostat graph`.

import { colonyOptions, getOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { cancelGraph } from './cancel.ts'
import { rerunGraph, rerunOptions } from './rerun.ts'
import { submitGraph, submitGraphOptions } from './submit.ts'
import { graphTree, treeOptions } from './tree.ts'

const CODES = ['Exit codes with -w: 0 it succeeded, 4 it failed, 5 it was cancelled']

export const graphVerbs: VerbTable = {
  submit: {
    summary: 'Submit a graph of processes and print its name, or with -w draw it until it has ended.',
    operands: '-f FILE',
    options: submitGraphOptions,
    notes: ['The file has a ProcessGraph, its spec, or a list of nodes.', ...CODES],
    run: (values, operands, terminal) => submitGraph(values, operands, terminal),
  },
  get: {
    summary: 'Show graphs, as `homeostat get processgraphs` does.',
    operands: '[NAME...]',
    options: getOptions,
    completes: 'graph',
    run: async (values, operands, terminal) =>
      (await import('../objects/get.ts')).get(values, ['processgraphs.colonies.io', ...operands], terminal),
  },
  tree: {
    summary: 'Draw a graph with the phase of every node; with -w until it has ended.',
    operands: 'NAME',
    options: treeOptions,
    notes: CODES,
    completes: 'graph',
    run: (values, operands, terminal) => graphTree(values, operands, terminal),
  },
  cancel: {
    summary: 'End what waits and runs of a graph.',
    operands: 'NAME',
    options: colonyOptions,
    completes: 'graph',
    run: (values, operands, terminal) => cancelGraph(values, operands, terminal),
  },
  rerun: {
    summary: 'Run a graph that has ended again, from where it failed, as a new graph.',
    operands: 'NAME',
    options: rerunOptions,
    notes: CODES,
    completes: 'graph',
    run: (values, operands, terminal) => rerunGraph(values, operands, terminal),
  },
}
