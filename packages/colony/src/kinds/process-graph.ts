// The kinds ProcessGraph, Processes that depend on each other, and ProcessGraphPart, nodes of a graph that is too large for
// one object.

import { MAX_NODES_INLINE } from '@homeostat/executor/graphs'
import { AGE, coloniesKind } from './definition.ts'
import { workFields } from './process.ts'
import {
  anything,
  conditions,
  flag,
  integer,
  MAX_INT32,
  object,
  type Schema,
  text,
  texts,
  time,
} from './schema-parts.ts'

const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values })
const nonEmpty: Schema = { type: 'string', minLength: 1 }
const onFailure = oneOf('fail', 'continue')

const node = object(
  {
    name: nonEmpty,
    dependencies: texts,
    ...workFields,
    onFailure,
    when: {
      type: 'array',
      items: object(
        {
          node: nonEmpty,
          phase: oneOf('Succeeded', 'Failed', 'Cancelled', 'Skipped'),
          pointer: text,
          operator: oneOf('Equals', 'NotEquals', 'GreaterThan', 'LessThan'),
          value: anything,
        },
        ['node'],
      ),
    },
    reuse: text,
  },
  ['name', 'funcName', 'conditions'],
)

/** One value for managers of fields: thousands of nodes would make thousands of entries. */
export const nodeList: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'atomic',
  maxItems: MAX_NODES_INLINE,
  items: node,
}

const count = integer(0, MAX_INT32)

/** What a Schedule makes graphs of has these fields, too. */
export const graphFields = {
  nodes: nodeList,
  onFailure,
} as const

export const processGraphDefinition = coloniesKind({
  kind: 'ProcessGraph',
  plural: 'processgraphs',
  scope: 'Namespaced',
  spec: object({
    ...graphFields,
    parts: texts,
    cancel: flag,
    ttlSecondsAfterFinished: integer(0, MAX_INT32),
    rerunOf: object({ name: nonEmpty, uid: text }, ['name']),
  }),
  status: {
    ...object({
      phase: text,
      nodes: object({
        total: count,
        pending: count,
        waiting: count,
        running: count,
        succeeded: count,
        failed: count,
        cancelled: count,
        skipped: count,
      }),
      failed: texts,
      removed: { type: 'array', items: object({ name: text, phase: text }) },
      startedAt: time,
      finishedAt: time,
      conditions,
    }),
    'x-kubernetes-map-type': 'atomic',
  },
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Nodes', type: 'integer', jsonPath: '.status.nodes.total' },
    { name: 'Running', type: 'integer', jsonPath: '.status.nodes.running' },
    { name: 'Succeeded', type: 'integer', jsonPath: '.status.nodes.succeeded' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.nodes.failed' },
    { name: 'First failed', type: 'string', jsonPath: '.status.failed[0]', priority: 1 },
    { name: 'Rerun of', type: 'string', jsonPath: '.spec.rerunOf.name', priority: 1 },
    { name: 'Started', type: 'date', jsonPath: '.status.startedAt', priority: 1 },
    { name: 'Finished', type: 'date', jsonPath: '.status.finishedAt', priority: 1 },
    AGE,
  ],
  selectable: ['.status.phase'],
})

export const processGraphPartDefinition = coloniesKind({
  kind: 'ProcessGraphPart',
  plural: 'processgraphparts',
  scope: 'Namespaced',
  spec: object({ graph: nonEmpty, nodes: { ...nodeList, minItems: 1 } }, ['graph', 'nodes']),
  status: object({}),
  columns: [{ name: 'Graph', type: 'string', jsonPath: '.spec.graph' }, AGE],
})
