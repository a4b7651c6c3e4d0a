// Measures how much more processor time the same work takes now than on a quiet machine. Shared caches and processors
// stretch it up to threefold, so tests divide measured times by this factor before they compare them with a bound.

import { threadCpuMs } from '@homeostat/base/testing/cpu-time'

const TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, value: i, list: [i, `${i}`] })))
/** The time of the work on a quiet machine at 3 GHz. */
const QUIET_MS = 8
const TRIES = 7

export function slowdown(): number {
  const took = Array.from({ length: TRIES }, () => {
    const began = threadCpuMs()
    JSON.stringify(JSON.parse(TEXT))
    return threadCpuMs() - began
  })
  const median = took.sort((a, b) => a - b)[TRIES >> 1] ?? 0
  return Math.max(1, median / QUIET_MS)
}
