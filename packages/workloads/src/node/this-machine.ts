// Describes the machine of the server for the status of its nodes.

import { arch, availableParallelism, networkInterfaces, platform, release, totalmem } from 'node:os'
import type { Machine } from './runtime-node.ts'

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

export function thisMachine(): Machine {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return {
    os: platform(),
    arch: ARCHITECTURES[arch()] ?? arch(),
    kernel: release(),
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    address: addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1',
  }
}
