// The processor time of the calling thread, which does not depend on how busy the machine is.

import { readFileSync } from 'node:fs'

export function threadCpuMs(): number {
  if ('threadCpuUsage' in process) {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  // Node 22 has no such call; read it from Linux.
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}
