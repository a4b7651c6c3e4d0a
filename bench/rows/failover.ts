// How long writes take while a server of three is killed under load: each writer goes to the next server with the same write until it is
// told that it is stored.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMostCount } from '../finding.ts'
import { COLLECTION, itemBody } from '../items/item.ts'
import type { Lab } from '../lab.ts'
import { group } from '../row.ts'
import { startEtcdFor } from '../servers/etcd.ts'
import { secureFlags } from '../servers/secure.ts'
import type { Server } from '../servers/server.ts'

const SERVERS = 3
const WRITERS = 24
/** Before the server is killed, and after. */
const CALM_MS = 2000
const AFTER_MS = 8000
/** A connection that says nothing for so long is given up. */
const PATIENCE_MS = 5000
const AGAIN_MS = 10

export const failover = group(open, [
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
])

async function open(lab: Lab): Promise<{ servers: readonly Server[] }> {
  const etcd = await startEtcdFor(lab, 3)
  const first = await lab.startWithDefinition(undefined, [...etcd.flags, ...(await secureFlags())])
  const servers: Server[] = [first]
  while (servers.length < SERVERS) {
    const directory = lab.newDirectory()
    // The servers of a store have the same keys.
    cpSync(join(first.directory, 'pki'), join(directory, 'pki'), { recursive: true })
    servers.push(await lab.start(directory, undefined, [...etcd.flags, ...(await secureFlags())]))
  }
  return { servers }
}

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
