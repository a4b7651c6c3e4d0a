// `npm run bench -- --curves`: what grows with the number of objects and of watchers, on SQLite and on etcd. It prints a table and judges
// nothing; docs/scaling-limits.md has one, and says what follows from it.

import { COLLECTION } from './items/item.ts'
import { createText, getText, patchText } from './items/request-text.ts'
import type { Lab } from './lab.ts'
import { alone, byCpu, measureLoad } from './measure.ts'
import { residentMiB, settledCpuUs } from './process-usage.ts'
import { startEtcdFor } from './servers/etcd.ts'
import { secureFlags } from './servers/secure.ts'
import type { Server } from './servers/server.ts'

const WATCHERS = [0, 500, 2000]
const PAGE = 500
const EVENTS = 20
const SLICES = 3

/** `upTo`: the most objects; a tenth and a hundredth of it are measured, too. */
export async function curves(lab: Lab, upTo: number): Promise<void> {
  console.log('| store | objects | memory MiB | ready s | create µs CPU | page of 500 µs CPU | list by label ms CPU |')
  console.log('|---|---|---|---|---|---|---|')
  for (const store of ['SQLite', 'etcd']) await objectCurve(lab, store, upTo)
  console.log('\n| watchers | memory MiB | one event: µs CPU for each delivery |')
  console.log('|---|---|---|')
  await watcherCurve(lab)
}

async function objectCurve(lab: Lab, store: string, upTo: number): Promise<void> {
  const etcd = store === 'etcd' ? await startEtcdFor(lab, 1) : undefined
  const flags = etcd === undefined ? [] : [...etcd.flags, ...(await secureFlags())]
  let server = await lab.startWithDefinition(undefined, flags)
  let objects = 0
  // Measured creates come on top: at most a few thousand.
  let more = 10 * upTo
  for (const count of [upTo / 100, upTo / 10, upTo]) {
    await lab.fill(server, objects, count - objects)
    objects = count
    const { directory } = server
    await server.stop()
    server = await lab.start(directory, undefined, flags)
    const readyS = server.readyMs / 1000
    const memory = residentMiB(server.pid)
    const page = await cpuOf(lab, server, `${COLLECTION}?limit=${PAGE}`, 40)
    const selected = await cpuOf(lab, server, `${COLLECTION}?labelSelector=tier%3Dnone`, 4)
    const create = await alone(
      byCpu,
      () => {
        const first = more
        more += 200
        const text = createText(server.port)
        return measureLoad(lab.load, server, { connections: 64, count: 200, first, status: 201, text })
      },
      SLICES,
    )
    const cells = [store, count, memory.toFixed(0), readyS.toFixed(2), create.cpuUs.toFixed(0), page.toFixed(0)]
    console.log(`| ${[...cells, (selected / 1000).toFixed(2)].join(' | ')} |`)
  }
  await lab.stopServers()
}

async function cpuOf(lab: Lab, server: Server, path: string, count: number): Promise<number> {
  const plan = { connections: 2, count, status: 200, text: getText(server.port, path) }
  return (await alone(byCpu, () => measureLoad(lab.load, server, plan), SLICES)).cpuUs
}

async function watcherCurve(lab: Lab): Promise<void> {
  const server = await lab.startWithDefinition()
  await lab.fill(server, 0, EVENTS)
  let open = 0
  for (const watchers of WATCHERS) {
    const load = lab.newLoad()
    const path = `${COLLECTION}?watch=true&allowWatchBookmarks=true&resourceVersion=0&resourceVersionMatch=NotOlderThan&sendInitialEvents=false`
    if (watchers > open)
      await load.watch({ port: server.port, watchers: watchers - open, text: getText(server.port, path) })
    open = watchers
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const memory = residentMiB(server.pid)
    const plan = {
      port: server.port,
      connections: 1,
      count: EVENTS,
      cycle: EVENTS,
      status: 200,
      text: patchText(server.port),
    }
    const runs: number[] = []
    for (let run = 0; run < SLICES; run++) {
      const before = await settledCpuUs(server.pid)
      await lab.load.runAll({ ...plan, first: run * EVENTS })
      runs.push(((await settledCpuUs(server.pid)) - before) / EVENTS / Math.max(1, watchers))
    }
    console.log(`| ${watchers} | ${memory.toFixed(0)} | ${Math.min(...runs).toFixed(1)} |`)
  }
}
