// The method: CPU per operation of the server's process, ours and the bare server in turns, best of three rounds. Other
// load on the machine can double a cost for a moment. So a round consists of several short slices of each side in turns
// and counts by their median, which a disturbed slice does not move and which still contains recurring costs.

import type { LoadGenerator } from './load/load-generator.ts'
import type { RequestPlan } from './load/protocol.ts'
import { settledCpuUs } from './process-usage.ts'
import type { Server } from './servers/server.ts'

export interface Cost {
  /** Cost per operation. */
  readonly cpuUs: number
  readonly wallUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const ROUNDS = 3
const SLICES = 5

/**
 * Runs the plan and returns the server's cost per operation. Connections are opened before the measurement. Watched, it ends when
 * the generator's watchers have an event for each request.
 */
export async function measureLoad(
  load: LoadGenerator,
  server: Server,
  plan: Omit<RequestPlan, 'port'>,
  watched = false,
): Promise<Cost> {
  await load.open({ ...plan, port: server.port })
  const before = await settledCpuUs(server.pid)
  const { wallMs, p50Ms, p99Ms } = await load.run(1, watched)
  const cpuUs = ((await settledCpuUs(server.pid)) - before) / plan.count
  await load.close()
  return { cpuUs, wallUs: (wallMs * 1000) / plan.count, p50Ms, p99Ms }
}

export interface Compared<T> {
  readonly ours: T
  readonly bare: T
}

/**
 * One warm-up round of each side, then three of each in turns; returns the best of each by `score` (lower is better).
 */
export async function interleave<T>(
  score: (value: T) => number,
  ours: () => Promise<T>,
  bare: () => Promise<T>,
  slices = SLICES,
): Promise<Compared<T>> {
  const [oursRounds, bareRounds] = [new Rounds(score), new Rounds(score)]
  for (let round = 0; round <= ROUNDS; round++) {
    for (let slice = 0; slice < slices; slice++) {
      oursRounds.add(round, await ours())
      bareRounds.add(round, await bare())
    }
  }
  return { ours: oursRounds.best(), bare: bareRounds.best() }
}

/** The same for work without a reference. */
export async function alone<T>(score: (value: T) => number, measure: () => Promise<T>, slices = SLICES): Promise<T> {
  const rounds = new Rounds(score)
  for (let round = 0; round <= ROUNDS; round++) {
    for (let slice = 0; slice < slices; slice++) rounds.add(round, await measure())
  }
  return rounds.best()
}

/** Slices by round. The first round is the warm-up. */
class Rounds<T> {
  readonly #score: (value: T) => number
  readonly #rounds: T[][] = []

  constructor(score: (value: T) => number) {
    this.#score = score
  }

  add(round: number, value: T): void {
    this.#rounds[round] ??= []
    this.#rounds[round].push(value)
  }

  best(): T {
    const medians = this.#rounds.slice(1).map((slices) => this.#sorted(slices)[slices.length >> 1])
    const best = this.#sorted(medians.filter((value) => value !== undefined))[0]
    if (best === undefined) throw new Error('nothing was measured')
    return best
  }

  #sorted(values: readonly T[]): T[] {
    return values.toSorted((a, b) => this.#score(a) - this.#score(b))
  }
}

export const byCpu = (cost: Cost): number => cost.cpuUs
