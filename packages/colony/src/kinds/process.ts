// The kind Process: a unit of work, from its submission to its end.

import { AGE, coloniesKind } from './definition.ts'
import {
  anything,
  conditions,
  flag,
  freeObject,
  integer,
  MAX_INT32,
  object,
  quantity,
  type Schema,
  text,
  textMap,
  texts,
  time,
} from './schema-parts.ts'

/** Atomic fields keep managedFields small: no manager owns single fields inside them. */
const ATOMIC = { 'x-kubernetes-map-type': 'atomic' }
const whole = (properties: Readonly<Record<string, Schema>>): Schema => ({ ...object(properties), ...ATOMIC })

const nonEmpty = { type: 'string', minLength: 1 }

/** What a Process does. Nodes of graphs and schedules have these fields, too. */
export const workFields = {
  funcName: nonEmpty,
  args: { type: 'array', items: anything },
  kwargs: { ...freeObject, ...ATOMIC },
  env: { ...textMap, ...ATOMIC },
  label: text,
  priority: integer(-50_000, 50_000),
  maxWaitSeconds: integer(0, MAX_INT32),
  maxExecSeconds: integer(0, MAX_INT32),
  maxRetries: integer(-1, MAX_INT32),
  concurrencyKey: text,
  conditions: object(
    { executorType: nonEmpty, executorNames: texts, location: text, software: texts, cpu: quantity, memory: quantity },
    ['executorType'],
  ),
  ttlSecondsAfterFinished: integer(0, MAX_INT32),
} as const

export const processDefinition = coloniesKind({
  kind: 'Process',
  plural: 'processes',
  scope: 'Namespaced',
  withoutHistory: true,
  spec: object({ ...workFields, cancel: flag, inputFrom: texts }, ['funcName', 'conditions']),
  status: whole({
    phase: text,
    submittedAt: text,
    attempt: integer(0, MAX_INT32),
    retries: integer(0, MAX_INT32),
    executor: text,
    pastAttempts: {
      type: 'array',
      items: object({ attempt: integer(0, MAX_INT32), executor: text, startedAt: time, finishedAt: time, error: text }),
    },
    notBefore: time,
    waitDeadline: time,
    execDeadline: time,
    startedAt: time,
    finishedAt: time,
    input: { type: 'array', items: anything },
    addedNodes: { type: 'array', items: freeObject },
    output: anything,
    errors: texts,
    conditions,
  }),
  columns: [
    { name: 'Function', type: 'string', jsonPath: '.spec.funcName' },
    { name: 'Label', type: 'string', jsonPath: '.spec.label', priority: 1 },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Attempt', type: 'integer', jsonPath: '.status.attempt' },
    { name: 'Executor', type: 'string', jsonPath: '.status.executor' },
    { name: 'Type', type: 'string', jsonPath: '.spec.conditions.executorType', priority: 1 },
    { name: 'Priority', type: 'integer', jsonPath: '.spec.priority', priority: 1 },
    { name: 'Error', type: 'string', jsonPath: '.status.errors[0]', priority: 1 },
    { name: 'Started', type: 'date', jsonPath: '.status.startedAt', priority: 1 },
    { name: 'Finished', type: 'date', jsonPath: '.status.finishedAt', priority: 1 },
    AGE,
  ],
  selectable: ['.status.phase', '.spec.conditions.executorType', '.status.executor'],
})
