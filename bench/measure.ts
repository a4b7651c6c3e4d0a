// How everything is measured: CPU per operation of the server's process, ours and bare in turns, best of three.

import type { LoadGenerator } from './load/load-generator.ts'
import type { RequestPlan } from './load/protocol.ts'
import { settledCpuUs } from './process-usage.ts'
import type { Server } from './servers/server.ts'

export interface Cost {
  /** Per operation. */
  readonly cpuUs: number
  readonly wallUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export const ROUNDS = 3

/** Runs the plan and says what an operation cost the server. Connections are opened before the measurement. */
export async function measureLoad(load: LoadGenerator, server: Server, plan: Omit<RequestPlan, 'port'>): Promise<Cost> {
  await load.open({ ...plan, port: server.port })
  const before = await settledCpuUs(server.pid)
  const { wallMs, p50Ms, p99Ms } = await load.run()
  const cpuUs = ((await settledCpuUs(server.pid)) - before) / plan.count
  await load.close()
  return { cpuUs, wallUs: (wallMs * 1000) / plan.count, p50Ms, p99Ms }
}

/** The mean of costs of the same number of operations each. */
export function mean(costs: readonly Cost[]): Cost {
  const of = (pick: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + pick(cost), 0) / costs.length
  return {
    cpuUs: of((c) => c.cpuUs),
    wallUs: of((c) => c.wallUs),
    p50Ms: of((c) => c.p50Ms),
    p99Ms: of((c) => c.p99Ms),
  }
}

export interface Compared<T> {
  readonly ours: T
  readonly bare: T
}

/** A round of each to warm up, then three of each in turns; the best by `score` (lower is better) of each side. */
export async function interleave<T>(
  score: (value: T) => number,
  ours: () => Promise<T>,
  bare: () => Promise<T>,
): Promise<Compared<T>> {
  await ours()
  await bare()
  const seen: { ours: T[]; bare: T[] } = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    seen.ours.push(await ours())
    seen.bare.push(await bare())
  }
  return { ours: best(score, seen.ours), bare: best(score, seen.bare) }
}

export function best<T>(score: (value: T) => number, values: readonly T[]): T {
  const [first, ...rest] = values
  if (first === undefined) throw new Error('nothing was measured')
  return rest.reduce((a, b) => (score(b) < score(a) ? b : a), first)
}

export const byCpu = (cost: Cost): number => cost.cpuUs
