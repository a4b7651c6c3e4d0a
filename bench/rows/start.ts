// How soon the server is ready when it is started again, against Node starting and doing nothing; and its memory then.

import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMostMemory, atMostTimes, type Finding } from '../finding.ts'
import type { Lab } from '../lab.ts'
import { interleave } from '../measure.ts'
import { residentMiB } from '../process-usage.ts'
import { group } from '../row.ts'

const STARTS_PER_ROUND = 3
const SETTLE_MS = 5000

export const start = group(open, [
  {
    work: 'ready, second start, empty, against `node -e 0`',
    measure: ({ lab, empty }, work) => ready(lab, empty, work, 8),
  },
  {
    work: 'ready, second start, with 10,000 objects, against `node -e 0`',
    measure: ({ lab, populated }, work) => ready(lab, populated, work, 12),
  },
  {
    work: 'resident memory, idle',
    measure: async ({ lab, empty }, work) => atMostMemory(work, await restingMiB(lab, empty), undefined, 100),
  },
  {
    work: 'resident memory, 5 s after a restart with 10,000 objects, over idle',
    async measure({ lab, empty, populated }, work) {
      const idle = await restingMiB(lab, empty)
      return atMostMemory(work, await restingMiB(lab, populated), idle, 60)
    },
  },
])

async function open(lab: Lab) {
  const first = await lab.start(lab.newDirectory())
  await first.stop()
  return { lab, empty: first.directory, populated: await lab.populatedDirectory() }
}

async function ready(lab: Lab, directory: string, work: string, bar: number): Promise<Finding> {
  const ours = async () => {
    const server = await lab.start(directory)
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

async function restingMiB(lab: Lab, directory: string): Promise<number> {
  const server = await lab.start(directory)
  await sleep(SETTLE_MS)
  const resident = residentMiB(server.pid)
  await server.stop()
  return resident
}
