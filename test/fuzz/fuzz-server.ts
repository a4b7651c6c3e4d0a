// Runs the server of server-thread.ts on a data directory and counts the steps of its event loop.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { startApiServer } from '@homeostat/apiserver'
import { jsonLog } from '@homeostat/base'
import { threadCpuMs } from '@homeostat/base/testing/cpu-time'
import { openSqliteStore } from '@homeostat/store'
import { StepCounter } from './step-counter.ts'

/** What went wrong inside: a failure that no client should be able to cause. */
const failures: string[] = []
const logger = jsonLog({ level: 'error', write: (line) => void failures.push(line) })
const store = await openSqliteStore({ directory: workerData.directory, synchronous: 'NORMAL' })
const server = await startApiServer({ store, host: '127.0.0.1', port: 0, logger })

/** The most steps between two ticks of a timer: a turn that blocks is one gap. Short turns are counted together. */
const COUNTED_TOGETHER_MS = 10
const counter = new StepCounter()
let longest = 0
let total = 0
let last = threadCpuMs()
const count = () => {
  const steps = counter.take()
  longest = Math.max(longest, steps)
  total += steps
  last = threadCpuMs()
}
const ticks = setInterval(() => {
  if (threadCpuMs() - last >= COUNTED_TOGETHER_MS) count()
}, 3)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

parentPort?.on('message', async (asked: 'state' | 'heap' | 'close') => {
  if (asked === 'close') {
    clearInterval(ticks)
    await server.close()
    await store.close()
    parentPort?.close()
    return
  }
  if (asked === 'heap') {
    collectGarbage()
    parentPort?.postMessage(process.memoryUsage().heapUsed)
    return
  }
  count()
  parentPort?.postMessage({ steps: longest, total, failures: failures.splice(0) })
  longest = 0
  total = 0
})
parentPort?.postMessage(server.address.port)
