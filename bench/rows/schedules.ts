// Schedules: ten thousand that are due in the same second, what their runs cost, and what a GET beside them waits.

import { setTimeout as sleep } from 'node:timers/promises'
import { COLONY, processSpec } from '../colony/process.ts'
import { atMostTimes, type Finding, milliseconds, unmeasured } from '../finding.ts'
import { getText, requestText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { cpuUs, settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const SCHEDULES = 10_000
/** For all of them; CPU of the server. */
const BAR_SECONDS = 10
const GETS = 10_000
const GET_CONNECTIONS = 16
/** Time to make the schedules; the bench waits for the rest of it. */
const LEAD_MS = 40_000
const LONGEST_MS = 300_000

export const schedules = group(
  async (lab: Lab) => lab,
  [
    {
      work: '10,000 schedules due in one second: CPU of the server until all runs are submitted',
      async measure(lab, work): Promise<Finding> {
        const { server, count, due } = await scheduled(lab)
        const before = cpuUs(server.pid)
        await sleep(due - Date.now())
        const began = performance.now()
        await allMade(server, count)
        const wallMs = performance.now() - began
        const seconds = ((await settledCpuUs(server.pid)) - before) / 1e6
        const bar = (BAR_SECONDS * count) / SCHEDULES
        const result = `${seconds.toFixed(1)} s CPU`
        const aside = { reference: '', oursTime: milliseconds(wallMs), referenceTime: '' }
        return { work, ours: result, ...aside, result, bar: `<= ${bar} s CPU`, met: seconds <= bar }
      },
    },
    {
      work: 'GET while 10,000 schedules are due, 16 connections, against the same without them: p99',
      async measure(lab, work): Promise<Finding> {
        const { server, count, due } = await scheduled(lab)
        const path = `${COLONY}/schedules/s-00000000`
        const plan = { port: server.port, connections: GET_CONNECTIONS, count: lab.count(GETS), status: 200 }
        const load = lab.newLoad()
        await load.open({ ...plan, text: getText(server.port, path) })
        await load.run()
        const { p99Ms: without } = await load.run()
        if (Date.now() > due) return unmeasured(work)
        await sleep(due - Date.now())
        await until(async () => (await made(server)) > 0)
        const { p99Ms: beside } = await load.run()
        const left = count - (await made(server))
        await load.close()
        await allMade(server, count)
        // Otherwise most of the GETs came after the schedules.
        if (left <= 0) return unmeasured(work)
        return atMostTimes(work, { ours: beside * 1000, reference: without * 1000, unit: 'time' }, 3)
      },
    },
  ],
)

/** A server whose schedules are all due at the same time, once. */
async function scheduled(lab: Lab): Promise<{ server: Server; count: number; due: number }> {
  const server = await lab.start(lab.newDirectory())
  const count = lab.count(SCHEDULES)
  const due = Date.now() + (LEAD_MS * count) / SCHEDULES + 5000
  const body = JSON.stringify({
    apiVersion: 'colonies.io/v1',
    kind: 'Schedule',
    metadata: { name: 's-{n}', namespace: 'bench' },
    spec: { at: new Date(due).toISOString(), process: processSpec },
  })
  const text = requestText(server.port, { method: 'POST', path: `${COLONY}/schedules`, body })
  await lab.load.runAll({ port: server.port, connections: 32, count, status: 201, text })
  if (Date.now() > due) throw new Error('the schedules were due before all of them were there')
  return { server, count, due }
}

async function allMade(server: Server, count: number): Promise<void> {
  await until(async () => (await made(server)) >= count)
}

async function made({ port }: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${COLONY}/processes?limit=1`)
  const { items, metadata } = (await response.json()) as { items: unknown[]; metadata: { remainingItemCount?: number } }
  return items.length + (metadata.remainingItemCount ?? 0)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + LONGEST_MS
  while (!(await holds())) {
    if (performance.now() > late) throw new Error('the runs of the schedules are not there')
    await sleep(20)
  }
}
