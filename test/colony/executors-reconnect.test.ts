// Executors made with the SDK go on by themselves when their server is killed and comes back: nothing has to be started
// again, and every process ends.

import { type Clock, silentLog, systemClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { executor, type Process } from '@homeostat/executor'
import { expect, onTestFinished, test } from 'vitest'
import { chosenSeed, randomFrom } from '../crash/random.ts'
import { call } from '../http-call.ts'
import { startServer } from '../server-process.ts'

const PROCESSES = 120
const KILLS = 4
const PATH = '/apis/colonies.io/v1/namespaces/lab/processes'

/** Heartbeats and pauses are shorter than in life. */
const hasty: Clock = { now: () => systemClock.now(), setTimer: (ms, then) => systemClock.setTimer(ms / 8, then) }

test('executors go on when their server is killed and started again', async () => {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}`)
  const directory = temporaryFolder()
  let server = await startServer(directory, ['--log-level', 'error'])
  const { url } = server
  const client = createClient(nodeTransport({ url }))
  onTestFinished(() => client.close())
  let runs = 0
  const work = async () => {
    runs++
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 60)))
    return 'done'
  }
  const executors = ['one', 'two', 'three'].map((name) =>
    executor({
      type: 'worker',
      name,
      colony: 'lab',
      functions: { work },
      concurrency: 3,
      client,
      clock: hasty,
      log: silentLog,
    }),
  )
  onTestFinished(() => Promise.all(executors.map((one) => one.close())).then(() => {}))
  await Promise.all(executors.map((one) => one.ready))

  for (let kill = 0; kill < KILLS; kill++) {
    const some = Array.from({ length: PROCESSES / KILLS }, (_, index) => submit(url, `p-${kill}-${index}`))
    await Promise.all(some)
    const enough = runs + random.between(1, 10)
    while (runs < enough) await new Promise(setImmediate)
    await server.stop('SIGKILL')
    server = await startServer(directory, ['--log-level', 'error', '--port', new URL(url).port])
  }
  const processes = await allEnded(url)
  expect(processes).toHaveLength(PROCESSES)
  expect(new Set(processes.map(({ status }) => status.phase))).toEqual(new Set(['Succeeded']))
  expect(new Set(processes.map(({ status }) => status.output))).toEqual(new Set(['done']))
})

async function submit(url: string, name: string): Promise<void> {
  const spec = { funcName: 'work', conditions: { executorType: 'worker' } }
  const process = { apiVersion: 'colonies.io/v1', kind: 'Process', metadata: { name, namespace: 'lab' }, spec }
  expect((await call(`${url}${PATH}`, 'POST', process)).code).toBe(201)
}

function allEnded(url: string): Promise<readonly Process[]> {
  return eventually(async () => {
    const { items = [] } = (await call(`${url}${PATH}`)).body
    const processes = items as unknown as Process[]
    return processes.every(({ status }) => status.finishedAt !== undefined) && processes
  })
}
