// What grows with the number of objects: memory, a start, a create, a page, and a list that looks at every object.

import { setTimeout as sleep } from 'node:timers/promises'
import { COLLECTION } from '../items/item.ts'
import { createText, getText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { alone, byCpu, measureLoad } from '../measure.ts'
import { cpuUs, residentMiB, settledCpuUs } from '../process-usage.ts'
import type { Started } from '../servers/homeostat.ts'
import { openStore, type StoreName } from './stores.ts'

const PAGE = 500
const SLICES = 3
const CREATES = 200
/** One command fills no more than this, so that the load generator stays small. */
const FILL = 10_000
const REST_MS = 3000

export async function objectCurve(
  lab: Lab,
  store: StoreName,
  upTo: number,
  print: (cells: readonly (string | number)[]) => void,
): Promise<void> {
  const { flags, etcd } = await openStore(lab, store)
  let server: Started = await lab.startWithDefinition(undefined, flags)
  let objects = 0
  for (const wanted of [upTo / 100, upTo / 10, upTo]) {
    for (; objects < wanted; objects += Math.min(FILL, wanted - objects))
      await lab.fill(server, objects, Math.min(FILL, wanted - objects))
    const { directory } = server
    await server.stop()
    server = await lab.start(directory, undefined, flags)
    const started = cpuUs(server.pid)
    await sleep(REST_MS)
    const memory = residentMiB(server.pid)
    const counted = objects
    const page = await costOf(lab, server, `${COLLECTION}?limit=${PAGE}`, 40)
    const selected = await costOf(lab, server, `${COLLECTION}?labelSelector=tier%3Dnone`, 4)
    let etcdUs = Number.POSITIVE_INFINITY
    // Objects that a measurement creates stay, and count for what is measured next.
    const create = await alone(
      byCpu,
      async () => {
        const before = etcd && (await settledCpuUs(etcd.pid))
        const text = createText(server.port)
        const plan = { connections: 64, count: CREATES, first: objects, status: 201, text }
        objects += CREATES
        const cost = await measureLoad(lab.load, server, plan)
        if (etcd && before !== undefined) etcdUs = Math.min(etcdUs, ((await settledCpuUs(etcd.pid)) - before) / CREATES)
        return cost
      },
      SLICES,
    )
    print([
      store,
      counted,
      memory.toFixed(0),
      etcd ? residentMiB(etcd.pid).toFixed(0) : '-',
      (server.readyMs / 1000).toFixed(2),
      (started / 1000).toFixed(0),
      create.cpuUs.toFixed(0),
      etcd ? etcdUs.toFixed(0) : '-',
      page.toFixed(0),
      (selected / 1000).toFixed(2),
    ])
  }
  await lab.stopServers()
}

async function costOf(lab: Lab, server: Started, path: string, count: number): Promise<number> {
  const plan = { connections: 2, count, status: 200, text: getText(server.port, path) }
  return (await alone(byCpu, () => measureLoad(lab.load, server, plan), SLICES)).cpuUs
}
