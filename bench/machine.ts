// The facts that the figures depend on, printed beside them: processor, cores, memory, Node. Nothing that identifies
// the machine.

import { availableParallelism, cpus, loadavg, type as system, totalmem } from 'node:os'

export function machineFacts(): string[] {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return [
    `${availableParallelism()} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${system()}`,
    `load average ${loadavg()[0]?.toFixed(1)} before the run; figures of a busy machine are not worth much`,
    `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`,
  ]
}
