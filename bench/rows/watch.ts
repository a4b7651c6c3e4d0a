// Changes delivered to 1,000 watchers, against a bare server that writes one ready event to 1,000 sockets.

import { atMostTimes } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { getText, patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import type { LoadResult } from '../load/protocol.ts'
import { best, interleave, ROUNDS } from '../measure.ts'
import { settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const WATCHERS = 1000
const TOGETHER = 50

export const watch = group(open, [
  {
    work: 'watch, 1,000 watchers, one event: p99 from the request to a delivery',
    async measure({ lab, ours, bare }, work) {
      const times = lab.count(40)
      const run = (watched: Watched) => async () =>
        (await fire(lab, watched, { changes: 1, times, watched: true })).result
      const compared = await interleave((result) => result.p99Ms, run(ours), run(bare))
      const [p99, reference] = [compared.ours.p99Ms * 1000, compared.bare.p99Ms * 1000]
      return atMostTimes(work, { ours: p99, reference, unit: 'time' }, 1.5)
    },
  },
  {
    work: 'watch, 1,000 watchers, 50 changes together: per delivery, without the CPU of the changes themselves',
    async measure({ lab, ours, bare }, work) {
      const times = lab.count(10)
      const perDelivery = (cpuUs: number) => cpuUs / (TOGETHER * times * WATCHERS)
      const together = async () => (await fire(lab, ours, { changes: TOGETHER, times, watched: true })).cpuUs
      const oneByOne = async () => (await fire(lab, bare, { changes: 1, times: TOGETHER, watched: true })).cpuUs * times
      const watched = await interleave((cpu) => cpu, together, oneByOne)
      const unwatched: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        unwatched.push((await fire(lab, ours, { changes: TOGETHER, times, watched: false })).cpuUs)
      }
      const delivering = perDelivery(watched.ours - best((cpu) => cpu, unwatched))
      return atMostTimes(work, { ours: delivering, reference: perDelivery(watched.bare), unit: 'CPU' }, 0.3)
    },
  },
])

interface Watched {
  readonly server: Server
  watchPath(): Promise<string>
}

async function open(lab: Lab): Promise<{ lab: Lab; ours: Watched; bare: Watched }> {
  const ours = await lab.startWithDefinition()
  await lab.fill(ours, 0, TOGETHER)
  const bare = await lab.startBare('watch', lab.newFile(await oneEvent(ours)))
  return {
    lab,
    ours: { server: ours, watchPath: () => pathFromNow(ours) },
    bare: { server: bare, watchPath: async () => COLLECTION },
  }
}

let fired = 0

/** Changes that many objects at once, some times over; each time waits for all deliveries. */
async function fire(
  lab: Lab,
  { server, watchPath }: Watched,
  { changes, times, watched }: { changes: number; times: number; watched: boolean },
): Promise<{ result: LoadResult; cpuUs: number }> {
  const { port } = server
  const first = fired
  fired += changes * times
  const text = patchText(port)
  await lab.load.open({ port, connections: changes, count: changes, first, cycle: TOGETHER, status: 200, text })
  if (watched) await lab.load.watch({ port, watchers: WATCHERS, text: getText(port, await watchPath()) })
  const before = await settledCpuUs(server.pid)
  const result = await lab.load.run(times, watched)
  const cpuUs = (await settledCpuUs(server.pid)) - before
  await lab.load.close()
  await settledCpuUs(server.pid)
  return { result, cpuUs }
}

/** Starts after what is there, so that only changes are delivered. */
async function pathFromNow({ port }: Server): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${COLLECTION}?limit=1`)
  const { metadata } = (await response.json()) as { metadata: { resourceVersion: string } }
  return `${COLLECTION}?watch=true&resourceVersion=${metadata.resourceVersion}`
}

/** The bytes of one event as our server writes it. */
async function oneEvent({ port }: Server): Promise<Uint8Array> {
  const stop = new AbortController()
  const response = await fetch(
    `http://127.0.0.1:${port}${COLLECTION}?watch=true&fieldSelector=metadata.name%3Ditem-00000000`,
    {
      signal: stop.signal,
    },
  )
  for await (const bytes of response.body ?? []) {
    stop.abort()
    return bytes
  }
  throw new Error('the watch ended without an event')
}
