// The colony's queue with an executor of the SDK, or several. Run as `node homeostat.ts URL [EXECUTORS]`.

import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { executor, submitter } from '@homeostat/executor'
import { EXECUTOR_TYPE } from '../colony/process.ts'
import { PAYLOAD, serveQueue, WORKERS } from './queue-program.ts'

/** One with 50 functions at a time, as the other queues' one worker has; or 50 with one each. */
const EXECUTORS = Number(process.argv[3] ?? 1)
const QUIET = { debug() {}, info() {}, warn() {}, error() {} }

await serveQueue(async (url, done) => {
  const client = createClient(nodeTransport({ url }))
  const executors = Array.from({ length: EXECUTORS }, (_, number) =>
    executor({
      type: EXECUTOR_TYPE,
      name: `worker-${number}`,
      colony: 'bench',
      client,
      concurrency: WORKERS / EXECUTORS,
      functions: { resize: () => null },
      onClosed: done,
      log: QUIET,
    }),
  )
  await Promise.all(executors.map(({ ready }) => ready))
  const { submit } = submitter({ client, colony: 'bench' })
  const spec = { funcName: 'resize', kwargs: PAYLOAD, conditions: { executorType: EXECUTOR_TYPE } }
  return { add: (number) => submit({ name: `job-${number}`, spec }) }
})
