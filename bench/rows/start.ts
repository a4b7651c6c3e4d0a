// How soon the server is ready when it is started again, against Node starting and doing nothing; and its memory then. All but
// one row are about the bundle, since that is what is installed.

import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMostMemory, atMostTimes, type Finding } from '../finding.ts'
import type { Lab } from '../lab.ts'
import { interleave } from '../measure.ts'
import { residentMiB } from '../process-usage.ts'
import { group } from '../row.ts'
import { type Program, sources } from '../servers/homeostat.ts'

const STARTS_PER_ROUND = 3
const SETTLE_MS = 5000

export const start = group(open, [
  {
    work: 'ready, second start, empty, against `node -e 0`',
    measure: ({ lab, empty }, work) => ready(lab, lab.bundle, empty, work, 6),
  },
  {
    work: 'ready, second start, empty, from sources, against `node -e 0`',
    measure: ({ lab, empty }, work) => ready(lab, sources, empty, work, 8),
  },
  {
    work: 'ready, second start, with 10,000 objects, against `node -e 0`',
    measure: ({ lab, populated }, work) => ready(lab, lab.bundle, populated, work, 12),
  },
  {
    work: 'resident memory, idle',
    measure: async ({ idleMiB }, work) => atMostMemory(work, await idleMiB(), undefined, 90),
  },
  {
    work: 'resident memory, 5 s after a restart with 10,000 objects, over idle',
    measure: async ({ lab, idleMiB, populated }, work) =>
      atMostMemory(work, await medianMiB(lab, populated), await idleMiB(), 60),
  },
])

async function open(lab: Lab) {
  const empty = lab.newDirectory()
  for (const program of [sources, lab.bundle]) await (await lab.start(empty, program)).stop()
  let idle: Promise<number> | undefined
  const idleMiB = () => {
    idle ??= medianMiB(lab, empty)
    return idle
  }
  return { lab, empty, idleMiB, populated: await lab.populatedDirectory() }
}

async function ready(lab: Lab, program: Program, directory: string, work: string, bar: number): Promise<Finding> {
  const ours = async () => {
    const server = await lab.start(directory, program)
    await server.stop()
    return server.readyMs
  }
  const nothing = async () => {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })
    return performance.now() - began
  }
  const compared = await interleave((ms) => ms, ours, nothing, STARTS_PER_ROUND)
  return atMostTimes(work, { ours: compared.ours * 1000, reference: compared.bare * 1000, unit: 'time' }, bar)
}

async function medianMiB(lab: Lab, directory: string): Promise<number> {
  const seen: number[] = []
  for (let i = 0; i < 3; i++) seen.push(await restingMiB(lab, directory))
  return seen.sort((a, b) => a - b)[1] ?? 0
}

async function restingMiB(lab: Lab, directory: string): Promise<number> {
  const server = await lab.start(directory, lab.bundle)
  await sleep(SETTLE_MS)
  const resident = residentMiB(server.pid)
  await server.stop()
  return resident
}
