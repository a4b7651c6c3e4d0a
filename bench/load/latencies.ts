// Measured times, in milliseconds, and what is told about them.

import type { LoadResult } from './protocol.ts'

export interface Times {
  readonly wallMs: number
  readonly latencies: Float64Array
}

export function summarize(runs: readonly Times[]): LoadResult {
  const sorted = Float64Array.from(runs.flatMap((run) => [...run.latencies])).sort()
  const wallMs = runs.reduce((sum, run) => sum + run.wallMs, 0)
  const meanMs = sorted.reduce((sum, one) => sum + one, 0) / sorted.length
  const [p50Ms, p95Ms, p99Ms] = [percentile(sorted, 0.5), percentile(sorted, 0.95), percentile(sorted, 0.99)]
  return { wallMs, meanMs, p50Ms, p95Ms, p99Ms }
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
