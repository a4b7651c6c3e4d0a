// Changes delivered to 1,000 watchers, against a bare server that writes one ready event to 1,000 sockets.

import { atMostTimes } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { getText, patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import type { LoadGenerator } from '../load/load-generator.ts'
import type { LoadResult } from '../load/protocol.ts'
import { interleave } from '../measure.ts'
import { settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const WATCHERS = 1000
const TOGETHER = 50
const NEWLINE = 10

export const watch = group(open, [
  {
    work: 'watch, 1,000 watchers, one event: p99 from the request to a delivery',
    async measure({ lab, ours, bare }, work) {
      const events = lab.count(10)
      const run = (site: Watched) => async () => (await fire(site, { together: 1, times: events })).p99Ms * 1000
      const p99 = await interleave(lowest, run(ours), run(bare))
      return atMostTimes(work, { ours: p99.ours, reference: p99.bare, unit: 'time' }, 1.5)
    },
  },
  {
    work: 'watch, 1,000 watchers, 50 changes together: per delivery, without the CPU of the changes themselves',
    async measure({ ours, bare, unwatched }, work) {
      const perChange = (site: Watched, together: number, times: number) => async () =>
        (await fire(site, { together, times })).cpuUs / together / times
      // A slice of ours is one with watchers and one without, so that both are equally warm and disturbed.
      const alike = { watched: perChange(ours, TOGETHER, 3), unwatched: perChange(unwatched, TOGETHER, 3) }
      const delivering = async () => (await alike.watched()) - (await alike.unwatched())
      const change = await interleave(lowest, delivering, perChange(bare, 1, 5))
      const perDelivery = { ours: change.ours / WATCHERS, reference: change.bare / WATCHERS }
      return atMostTimes(work, { ...perDelivery, unit: 'CPU' }, 0.3)
    },
  },
])

interface Watched {
  readonly server: Server
  readonly load: LoadGenerator
  readonly watched: boolean
}

async function open(lab: Lab) {
  const [server, quiet] = [await withObjects(lab), await withObjects(lab)]
  const bareServer = await lab.startBare('watch', lab.newFile(await oneEvent(server)))
  const ours = await withWatchers(lab, server, await pathFromNow(server))
  const bare = await withWatchers(lab, bareServer, COLLECTION)
  const unwatched: Watched = { server: quiet, load: lab.load, watched: false }
  return { lab, ours, bare, unwatched }
}

async function withObjects(lab: Lab): Promise<Server> {
  const server = await lab.startWithDefinition()
  await lab.fill(server, 0, TOGETHER)
  return server
}

/** A load generator of its own keeps the watches open. */
async function withWatchers(lab: Lab, server: Server, path: string): Promise<Watched> {
  const load = lab.newLoad()
  await load.watch({ port: server.port, watchers: WATCHERS, text: getText(server.port, path) })
  return { server, load, watched: true }
}

let fired = 0

/** Changes that many objects at once, some times over; with watchers, each time waits for all deliveries. */
async function fire(
  { server, load, watched }: Watched,
  { together, times }: { together: number; times: number },
): Promise<LoadResult & { cpuUs: number }> {
  const { port } = server
  const numbers = { first: fired, count: together, cycle: TOGETHER }
  fired += together * times
  await load.open({ port, connections: together, status: 200, text: patchText(port), ...numbers })
  const before = await settledCpuUs(server.pid)
  const result = await load.run(times, watched)
  const cpuUs = (await settledCpuUs(server.pid)) - before
  await load.close()
  return { ...result, cpuUs }
}

/** Starts after what is there, so that only changes are delivered. */
async function pathFromNow({ port }: Server): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${COLLECTION}?limit=1`)
  const { metadata } = (await response.json()) as { metadata: { resourceVersion: string } }
  return `${COLLECTION}?watch=true&resourceVersion=${metadata.resourceVersion}`
}

/** The bytes of one event as our server writes it. */
async function oneEvent({ port }: Server): Promise<Uint8Array> {
  const path = `${COLLECTION}?watch=true&fieldSelector=metadata.name%3Ditem-00000000`
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  const reader = response.body?.getReader()
  const event = await reader?.read()
  await reader?.cancel()
  if (event?.value === undefined) throw new Error('the watch ended without an event')
  return event.value.subarray(0, event.value.indexOf(NEWLINE) + 1)
}

function lowest(value: number): number {
  return value
}
