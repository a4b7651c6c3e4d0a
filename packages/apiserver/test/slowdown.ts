// How many times more processor time the same work takes now than on a quiet machine: caches and processors that are
// shared with others stretch it, up to threefold. A bound on processor time is a bound on what it would be when quiet.

import { threadCpuMs } from './thread-cpu.ts'

const TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, value: i, list: [i, `${i}`] })))
/** What the work takes on a quiet machine with processors of 3 GHz. */
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
