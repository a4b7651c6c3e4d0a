// Runs the server of server-aside.ts and measures its event loop.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { threadCpuMs } from '@homeostat/base/testing/cpu-time'
import { MemoryStore } from '@homeostat/store'
import { startApiServer } from '../src/index.ts'
import { slowdown } from './slowdown.ts'

/** Shorter turns are not measured more closely. */
const LONG_MS = 50

const store = new MemoryStore()
const server = await startApiServer({ store, host: '127.0.0.1', port: 0 })
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

/** The most processor time between two ticks of a timer: a turn that blocks is one long gap. */
let longest = 0
let last = threadCpuMs()
const ticks = setInterval(() => {
  const now = threadCpuMs()
  longest = Math.max(longest, now - last)
  last = now
}, 5)

/** The turn that just ended is recorded with the next timers. */
const turnsRecorded = () => new Promise((resolve) => setTimeout(resolve, 20))

parentPort?.on('message', async (asked: 'blocked' | 'close') => {
  if (asked === 'close') {
    clearInterval(ticks)
    await server.close()
    await store.close()
    parentPort?.close()
    return
  }
  await turnsRecorded()
  const blocked = Math.min(delay.max / 1e6, longest)
  const whenQuiet = blocked > LONG_MS ? blocked / slowdown() : blocked
  // Reset, so that the measurement itself does not count.
  await turnsRecorded()
  delay.reset()
  longest = 0
  parentPort?.postMessage(whenQuiet)
})
parentPort?.postMessage(server.address.port)
