// How long writes take while a server of three is killed under load: each writer goes to the next server with the same write until it is
// told that it is stored.

import { setTimeout as sleep } from 'node:timers/promises'
import { atMostCount } from '../finding.ts'
import { COLLECTION, itemBody } from '../items/item.ts'
import { group } from '../row.ts'
import { startPeers } from '../servers/peers.ts'
import type { Server } from '../servers/server.ts'

const WRITERS = 24
/** Before the server is killed, and after. */
const CALM_MS = 2000
const AFTER_MS = 8000
/** A connection that says nothing for so long is given up. */
const PATIENCE_MS = 5000
const AGAIN_MS = 10

export const failover = group(
  (lab) => startPeers(lab, { servers: 3, members: 3 }),
  [
    {
      work: 'a server of three on etcd is killed under load: seconds of the slowest write but one in a hundred',
      async measure({ servers }, work) {
        const stop = new AbortController()
        const times: number[] = []
        const writers = Array.from({ length: WRITERS }, (_, index) => write(servers, index, times, stop.signal))
        await sleep(CALM_MS)
        const before = times.length
        const [first] = servers
        process.kill(first?.pid ?? 0, 'SIGKILL')
        await sleep(AFTER_MS)
        stop.abort()
        await Promise.all(writers)
        const during = times.slice(before).sort((a, b) => a - b)
        const p99 = (during[Math.floor(during.length * 0.99)] ?? Number.POSITIVE_INFINITY) / 1000
        const most = `${during.length} writes, the slowest ${((during.at(-1) ?? 0) / 1000).toFixed(2)} s`
        return atMostCount(work, p99, 2, most)
      },
    },
  ],
)

/** Creates one object after the other, and notes how long each took until it was known to be stored. */
async function write(servers: readonly Server[], writer: number, times: number[], signal: AbortSignal): Promise<void> {
  let at = writer
  for (let count = 0; !signal.aborted; count++) {
    const number = String(writer * 100_000 + count).padStart(8, '0')
    const body = itemBody('{n}', 'r-1').replaceAll('{n}', number)
    const began = performance.now()
    while (!(await isStored(servers[at % servers.length] as Server, body))) {
      at++
      await sleep(AGAIN_MS)
    }
    times.push(performance.now() - began)
  }
}

/** 409: an attempt whose answer was lost had stored it. */
async function isStored({ port }: Server, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const response = await fetch(`http://127.0.0.1:${port}${COLLECTION}`, { method: 'POST', headers, body, signal })
    await response.arrayBuffer()
    return response.status === 201 || response.status === 409
  } catch {
    return false
  }
}
