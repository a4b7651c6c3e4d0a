// The processor time of the thread that asks: what its turns cost, however busy the machine is.

import { readFileSync } from 'node:fs'

export function threadCpuMs(): number {
  if ('threadCpuUsage' in process) {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  // Node 22 cannot tell, Linux can.
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}
