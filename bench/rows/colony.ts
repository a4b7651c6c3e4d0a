// The colony's queue: 50 executors and 20,000 processes, after 10,000 that warm up, against a bare server that does the same
// durable writes for the same requests.

import { join } from 'node:path'
import { COLONY, executorBody, submitText } from '../colony/process.ts'
import { atMostTimes, milliseconds, reported, shareOfBare } from '../finding.ts'
import { type Lab, post } from '../lab.ts'
import type { LoadGenerator } from '../load/load-generator.ts'
import type { LoadResult } from '../load/protocol.ts'
import { byCpu, type Compared, type Cost, interleave } from '../measure.ts'
import { settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const EXECUTORS = 50
const PROCESSES_PER_SLICE = 1000
/** A queue runs for days: what is measured is a program that is compiled as far as it will be. */
const WARM_UP_SLICES = 10
const WAKES_PER_SLICE = 150
/** Mean, p95 and p99 of an assign with 50 executors and 10,000 processes. */
const PUBLISHED_MS = [25, 35, 45]

type PullCost = Cost & Pick<LoadResult, 'meanMs' | 'p95Ms'>

interface Queue {
  readonly server: Server
  readonly load: LoadGenerator
}

export const colony = group(open, [
  {
    work: 'process from submit over assign to close, 50 executors',
    measure: async ({ pulled }, work) => shareOfBare(work, await pulled(), 0.33),
  },
  {
    work: 'assign that also closes the last process, 50 executors, 20,000 processes: mean / p95 / p99',
    async measure({ pulled }, work) {
      const { ours } = await pulled()
      const figures = [ours.meanMs, ours.p95Ms, ours.p99Ms]
      const met = figures.every((ms, index) => ms < (PUBLISHED_MS[index] ?? 0))
      const result = figures.map(milliseconds).join(' / ')
      const bar = `< ${PUBLISHED_MS.join(' / ')} ms`
      return { ...reported(work, result, 'ColonyOS, as published, on other hardware', result), bar, met }
    },
  },
  {
    // The last one: its executors stay and wait.
    work: 'process for an idle executor, 50 of them wait: p99 from the submit to the answer that brings it',
    async measure({ lab, ours, bare }, work) {
      const times = lab.count(WAKES_PER_SLICE)
      const p99 = await interleave((value) => value, wakes(ours, times), wakes(bare, times))
      return atMostTimes(work, { ours: p99.ours, reference: p99.bare, unit: 'time' }, 2)
    },
  },
])

async function open(lab: Lab) {
  const ours = await withExecutors(lab, await colonyServer(lab))
  const bare = await withExecutors(lab, await lab.startBare('colony', join(lab.newDirectory(), 'bare.sqlite')))
  const count = lab.count(PROCESSES_PER_SLICE)
  let both: Promise<Compared<PullCost>> | undefined
  // Two rows tell of the same runs.
  const pulled = () => {
    both ??= warmAndPull(pulls(ours, count), pulls(bare, count))
    return both
  }
  return { lab, ours, bare, pulled }
}

async function warmAndPull(ours: () => Promise<PullCost>, bare: () => Promise<PullCost>) {
  for (let slice = 0; slice < WARM_UP_SLICES; slice++) {
    await ours()
    await bare()
  }
  return interleave(byCpu, ours, bare)
}

async function colonyServer(lab: Lab): Promise<Server> {
  const server = await lab.start(lab.newDirectory())
  for (let number = 0; number < EXECUTORS; number++) await post(server, `${COLONY}/executors`, executorBody(number))
  return server
}

/** A load generator of its own keeps the executors. */
async function withExecutors(lab: Lab, server: Server): Promise<Queue> {
  const load = lab.newLoad()
  await load.executors({ port: server.port, executors: EXECUTORS })
  return { server, load }
}

/** Both servers number their processes alike; no number is used twice. */
let submitted = 0

function plan(port: number, connections: number, count: number, times = 1) {
  const first = submitted
  submitted += count * times
  return { port, connections, count, first, status: 201, text: submitText(port) }
}

/** All are submitted, then all are taken and closed. */
function pulls({ server, load }: Queue, count: number): () => Promise<PullCost> {
  return async () => {
    await load.open(plan(server.port, EXECUTORS, count))
    const before = await settledCpuUs(server.pid)
    const submits = await load.run()
    const { wallMs, ...latencies } = await load.pull(count)
    const cpuUs = ((await settledCpuUs(server.pid)) - before) / count
    await load.close()
    return { ...latencies, cpuUs, wallUs: ((submits.wallMs + wallMs) * 1000) / count }
  }
}

/** In microseconds. */
function wakes({ server, load }: Queue, times: number): () => Promise<number> {
  return async () => {
    await load.open(plan(server.port, 1, 1, times))
    await settledCpuUs(server.pid)
    const { p99Ms } = await load.wake(times)
    await load.close()
    return p99Ms * 1000
  }
}
