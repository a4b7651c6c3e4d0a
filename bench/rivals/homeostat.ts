// The colony's queue with executors of the SDK, each in a life of its own. Run as `node homeostat.ts URL`.

import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { executor } from '@homeostat/executor'
import { COLONY, EXECUTOR_TYPE } from '../colony/process.ts'
import { PAYLOAD, serveQueue, WORKERS } from './queue-program.ts'

const QUIET = { debug() {}, info() {}, warn() {}, error() {} }

await serveQueue(async (url, done) => {
  const client = createClient(nodeTransport({ url }))
  const executors = Array.from({ length: WORKERS }, (_, number) =>
    executor({
      type: EXECUTOR_TYPE,
      name: `worker-${number}`,
      colony: 'bench',
      client,
      functions: { resize: () => null },
      onClosed: done,
      log: QUIET,
    }),
  )
  await Promise.all(executors.map(({ ready }) => ready))
  return {
    add: (number) =>
      client.requestJson({
        method: 'POST',
        path: `${COLONY}/processes`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'colonies.io/v1',
          kind: 'Process',
          metadata: { name: `job-${number}` },
          spec: { funcName: 'resize', kwargs: PAYLOAD, conditions: { executorType: EXECUTOR_TYPE } },
        }),
      }),
  }
})
