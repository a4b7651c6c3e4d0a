// Runs the server of server-thread.ts on a data directory and measures its event loop.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { startApiServer } from '@homeostat/apiserver'
import { openSqliteStore } from '@homeostat/store'
import pino from 'pino'
import { threadCpuMs } from '../thread-cpu.ts'

/** What went wrong inside: a failure that no client should be able to cause. */
const failures: string[] = []
const logger = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
const store = await openSqliteStore({ directory: workerData.directory, synchronous: 'NORMAL' })
const server = await startApiServer({ store, host: '127.0.0.1', port: 0, logger })

/**
 * The longest gap between two ticks of a timer: a turn that blocks is one. By the clock or by processor time,
 * whichever is less.
 */
let longest = 0
let lastTime = performance.now()
let lastUsage = threadCpuMs()
const ticks = setInterval(() => {
  const [time, usage] = [performance.now(), threadCpuMs()]
  longest = Math.max(longest, Math.min(time - lastTime, usage - lastUsage))
  lastTime = time
  lastUsage = usage
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
  // The turn that just ended is recorded with the next timers.
  await new Promise((resolve) => setTimeout(resolve, 10))
  parentPort?.postMessage({ blocked: longest, failures: failures.splice(0) })
  longest = 0
})
parentPort?.postMessage(server.address.port)
