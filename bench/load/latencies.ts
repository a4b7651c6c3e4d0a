// Measured times, in milliseconds, and what is told about them.

import type { LoadResult } from './protocol.ts'

export interface Times {
  readonly wallMs: number
  readonly latencies: Float64Array
}

export function summarize(runs: readonly Times[]): LoadResult {
  const sorted = Float64Array.from(runs.flatMap((run) => [...run.latencies])).sort()
  const wallMs = runs.reduce((sum, run) => sum + run.wallMs, 0)
  return { wallMs, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
