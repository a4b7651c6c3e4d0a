// The processor time that work takes, which a busy machine does not stretch as it does the time on the wall.

import { readFileSync } from 'node:fs'

/** Of the whole process, while it works. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Of the thread that asks, since it began. */
export function threadCpuMs(): number {
  if ('threadCpuUsage' in process) {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  // Node 22 cannot tell, Linux can.
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}
