// Graphs: what a node costs against a Process that is submitted alone.

import { setTimeout as sleep } from 'node:timers/promises'
import { type GraphNode, graphObjects, type ProcessGraph } from '@homeostat/executor/graphs'
import { COLONY, executorBody, processSpec, submitText } from '../colony/process.ts'
import { atMostTimes } from '../finding.ts'
import { type Lab, post } from '../lab.ts'
import type { LoadGenerator } from '../load/load-generator.ts'
import { settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const EXECUTORS = 50
const ROUNDS = 3

interface Site {
  readonly lab: Lab
  readonly server: Server
  readonly load: LoadGenerator
}

type Shape = (count: number) => GraphNode[]

const node = (name: string, ...dependencies: string[]): GraphNode => ({ ...processSpec, name, dependencies })
/** A hundred chains beside each other. */
const layers: Shape = (count) =>
  Array.from({ length: count }, (_, index) => node(`n${index}`, ...(index < 100 ? [] : [`n${index - 100}`])))
/** One node, all others after it. */
const wide: Shape = (count) =>
  Array.from({ length: count }, (_, index) => node(`n${index}`, ...(index === 0 ? [] : ['n0'])))
const deep: Shape = (count) =>
  Array.from({ length: count }, (_, index) => node(`n${index}`, ...(index === 0 ? [] : [`n${index - 1}`])))

export const graphs = group(open, [
  graphRow('graph of 10,000 nodes in 100 layers, from submit to close, against 10,000 processes', layers, 10_000, 1.3),
  graphRow('graph 1,000 wide, against 1,000 processes', wide, 1000, 1.3),
  // One after the other, each in transactions of its own, while the processes share theirs.
  graphRow('graph 1,000 deep, against 1,000 processes', deep, 1000, 8),
])

function graphRow(work: string, shape: Shape, full: number, bar: number) {
  return {
    work,
    async measure(site: Site, name: string) {
      const count = site.lab.count(full)
      const rounds = { graph: [] as number[], processes: [] as number[] }
      for (let round = 0; round <= ROUNDS; round++) {
        const processes = await processesCpu(site, count)
        const graph = await graphCpu(site, shape(count))
        // The first round warms up.
        if (round > 0) rounds.processes.push(processes)
        if (round > 0) rounds.graph.push(graph)
      }
      const values = { ours: Math.min(...rounds.graph), reference: Math.min(...rounds.processes), unit: 'CPU' as const }
      return atMostTimes(name, values, bar)
    },
  }
}

async function open(lab: Lab): Promise<Site> {
  const server = await lab.start(lab.newDirectory())
  for (let number = 0; number < EXECUTORS; number++) await post(server, `${COLONY}/executors`, executorBody(number))
  const load = lab.newLoad()
  await load.executors({ port: server.port, executors: EXECUTORS })
  return { lab, server, load }
}

/** No number is used twice. */
let submitted = 0

/** CPU of the server for each Process. */
async function processesCpu({ server, load }: Site, count: number): Promise<number> {
  const first = submitted
  submitted += count
  await load.open({
    port: server.port,
    connections: EXECUTORS,
    count,
    first,
    status: 201,
    text: submitText(server.port),
  })
  const before = await settledCpuUs(server.pid)
  await load.run()
  await load.pull(count)
  const cpuUs = ((await settledCpuUs(server.pid)) - before) / count
  await load.close()
  return cpuUs
}

async function graphCpu({ server, load }: Site, nodes: readonly GraphNode[]): Promise<number> {
  const name = `graph-${submitted++}`
  const graph: ProcessGraph = {
    apiVersion: 'colonies.io/v1',
    kind: 'ProcessGraph',
    metadata: { name, namespace: 'bench' },
    spec: { nodes },
  }
  const before = await settledCpuUs(server.pid)
  for (const object of graphObjects(graph)) {
    await post(server, `${COLONY}/${object.kind === 'ProcessGraph' ? 'processgraphs' : 'processgraphparts'}`, object)
  }
  await load.pull(nodes.length)
  await until(server, `${COLONY}/processgraphs/${name}`)
  return ((await settledCpuUs(server.pid)) - before) / nodes.length
}

/** Waits for the end of the graph by its row of a table, since the object is large. */
async function until(server: Server, path: string): Promise<void> {
  const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}?includeObject=None`, { headers })
    const { rows } = (await response.json()) as { rows: readonly { cells: readonly unknown[] }[] }
    if (rows[0]?.cells.includes('Succeeded')) return
    await sleep(50)
  }
}
