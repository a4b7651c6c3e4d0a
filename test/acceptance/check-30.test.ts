// Check 30, the part without a browser: /metrics shows resources by kind with conditions, queue depth, executors alive, graphs and schedules,
// and logs can be read. (The dashboard's part is in test/dashboard; the benchmark of 50 executors and 10,000 assigns is a row of `npm run bench`.)

import { expect, test } from 'vitest'
import { colonyServer } from './colony-server.ts'

const WANTED: readonly RegExp[] = [
  /^homeostat_resources\{.*processes.*\} \d+$/m,
  /^homeostat_resource_conditions\{.*\} \d+$/m,
  /^homeostat_colony_processes\{.*phase="waiting".*\} 1$/m,
  /^homeostat_colony_executors\{.*phase="online".*\} 1$/m,
  /^homeostat_colony_graph_seconds_count\{?.*\}? 1$/m,
  /^homeostat_colony_schedules\{?.*\}? 1$/m,
]

test('check 30', async () => {
  const { create, send, executor, url } = await colonyServer()
  executor('t', {
    f: ({ log }) => {
      log('hello from f')
      return 'done'
    },
  })
  const process = (executorType: string) => ({ funcName: 'f', conditions: { executorType } })
  await create('Process', 'one', process('t'))
  await create('Process', 'stuck', process('nobody'))
  await create('ProcessGraph', 'graph', { nodes: [{ name: 'a', ...process('t') }] })
  await create('Schedule', 'tick', { intervalSeconds: 3600, process: process('t') })
  const phase = async (path: string) => (await send('GET', path)).body.status?.phase
  await expect.poll(() => phase('/processes/one')).toBe('Succeeded')
  await expect.poll(() => phase('/processgraphs/graph')).toBe('Succeeded')
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  for (const wanted of WANTED) await expect.poll(metrics).toMatch(wanted)
  const log = await fetch(`${url}/apis/colonies.io/v1/namespaces/default/processes/one/log`)
  expect(await log.text()).toContain('hello from f')
  const { body } = await send('GET', '/processes/one')
  expect(body.status).toMatchObject({
    submittedAt: expect.any(String),
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
  })
})
