// What grows with the number of watchers: memory, and one change at a time that all of them are told.

import { setTimeout as sleep } from 'node:timers/promises'
import { getText, patchText, WATCH } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { residentMiB, settledCpuUs } from '../process-usage.ts'
import { openStore, type StoreName } from './stores.ts'

const OBJECTS = 20
const CHANGES = 50
const RUNS = 5
const REST_MS = 1000

export async function watcherCurve(
  lab: Lab,
  store: StoreName,
  upTo: number,
  print: (cells: readonly (string | number)[]) => void,
): Promise<void> {
  const { flags } = await openStore(lab, store)
  const server = await lab.startWithDefinition(undefined, flags)
  await lab.fill(server, 0, OBJECTS)
  const { port, pid } = server
  let open = 0
  let alone = 0
  let changed = 0
  for (const watchers of [0, Math.ceil(upTo / 4), upTo]) {
    // Each load generator keeps one crowd.
    if (watchers > open) await lab.newLoad().watch({ port, watchers: watchers - open, text: getText(port, WATCH) })
    open = watchers
    const plan = { port, connections: 1, count: CHANGES, cycle: OBJECTS, status: 200, text: patchText(port) }
    const costs: number[] = []
    // The first run warms up.
    for (let run = 0; run <= RUNS; run++) {
      const before = await settledCpuUs(pid)
      await lab.load.runAll({ ...plan, first: changed })
      changed += CHANGES
      if (run > 0) costs.push(((await settledCpuUs(pid)) - before) / CHANGES)
    }
    await sleep(REST_MS)
    const cost = Math.min(...costs)
    if (watchers === 0) alone = cost
    const delivery = watchers === 0 ? '-' : ((cost - alone) / watchers).toFixed(1)
    print([store, watchers, residentMiB(pid).toFixed(0), cost.toFixed(0), delivery])
  }
  await lab.stopServers()
}
