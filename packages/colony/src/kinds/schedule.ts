// The kind Schedule: makes a Process or a graph at certain times.

import { AGE, coloniesKind } from './definition.ts'
import { workFields } from './process.ts'
import { graphFields } from './process-graph.ts'
import { flag, integer, MAX_INT32, object, type Schema, text, time } from './schema-parts.ts'

const { ttlSecondsAfterFinished: _, ...runFields } = workFields
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values })

/** More would keep a server busy with the past after each start. */
const MAX_CATCH_UP = 100
const MAX_HISTORY = 1000

export const scheduleDefinition = coloniesKind({
  kind: 'Schedule',
  plural: 'schedules',
  scope: 'Namespaced',
  spec: object({
    cron: text,
    timeZone: text,
    intervalSeconds: integer(1, MAX_INT32),
    at: time,
    jitterSeconds: integer(0, MAX_INT32),
    concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
    startingDeadlineSeconds: integer(0, MAX_INT32),
    catchUp: integer(1, MAX_CATCH_UP),
    suspend: flag,
    successfulRunsHistoryLimit: integer(0, MAX_HISTORY),
    failedRunsHistoryLimit: integer(0, MAX_HISTORY),
    runTtlSeconds: integer(0, MAX_INT32),
    process: object(runFields, ['funcName', 'conditions']),
    graph: object(graphFields, ['nodes']),
  }),
  status: {
    ...object({
      timing: text,
      since: time,
      suspended: flag,
      lastTick: time,
      pending: object({ name: text, time, tick: time }),
      lastRun: object({ name: text, time }),
      nextRun: time,
      skippedTicks: integer(0),
    }),
    'x-kubernetes-map-type': 'atomic',
  },
  columns: [
    { name: 'Cron', type: 'string', jsonPath: '.spec.cron' },
    { name: 'Every', type: 'integer', jsonPath: '.spec.intervalSeconds' },
    { name: 'Time zone', type: 'string', jsonPath: '.spec.timeZone', priority: 1 },
    { name: 'Suspend', type: 'boolean', jsonPath: '.spec.suspend' },
    { name: 'Last run', type: 'date', jsonPath: '.status.lastRun.time' },
    { name: 'Next run', type: 'string', jsonPath: '.status.nextRun' },
    { name: 'Run', type: 'string', jsonPath: '.status.lastRun.name', priority: 1 },
    AGE,
  ],
})
