// Microseconds of the machine's monotonic clock, which all its processes share.

export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}
