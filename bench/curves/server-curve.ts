// What a change costs the servers that did not make it, and each member of etcd: the creates go to one of three servers.

import { createText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { settledCpuUs } from '../process-usage.ts'
import { startPeers } from '../servers/peers.ts'

const MEMBERS = 3
const SERVERS = 3
const CREATES = 500
const RUNS = 5

export async function serverCurve(lab: Lab, print: (cells: readonly (string | number)[]) => void): Promise<void> {
  const { servers, etcd } = await startPeers(lab, { servers: SERVERS, members: MEMBERS })
  const [writing, ...others] = servers
  if (writing === undefined) throw new Error('no server was started')
  const leader = await etcd.cluster.leader()
  const members = etcd.cluster.members.filter((member) => member !== leader)
  const processes = [writing, ...others, leader, ...members].map(({ pid }) => pid ?? 0)
  const runs: number[][] = []
  // The first run warms up.
  for (let run = 0; run <= RUNS; run++) {
    const before = await usage(processes)
    const plan = { connections: 64, count: CREATES, first: run * CREATES, status: 201, text: createText(writing.port) }
    await lab.load.runAll({ port: writing.port, ...plan })
    const after = await usage(processes)
    if (run > 0) runs.push(after.map((us, index) => (us - (before[index] ?? 0)) / CREATES))
  }
  const least = processes.map((_, index) => Math.min(...runs.map((costs) => costs[index] ?? 0)))
  const [own = 0, ...rest] = least
  const theirs = rest.slice(0, others.length)
  const [leading = 0, ...following] = rest.slice(others.length)
  print([SERVERS, MEMBERS, own.toFixed(0), mean(theirs).toFixed(0), leading.toFixed(0), mean(following).toFixed(0)])
  await lab.stopServers()
}

async function usage(processes: readonly number[]): Promise<number[]> {
  const seen: number[] = []
  for (const pid of processes) seen.push(await settledCpuUs(pid))
  return seen
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
