// LIST of 10,000 objects, against a bare server sending the same bytes from one buffer; and its peak of memory.

import { setTimeout as sleep } from 'node:timers/promises'
import { atMostMemory, shareOfBare } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { getText, patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { peakMiB, resetPeak, residentMiB } from '../process-usage.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const OBJECTS = 10_000
const CHANGED = OBJECTS / 100
/** Spreads the changed objects evenly over all names, others every time. */
const STRIDE = 101
const SETTLE_MS = 3000

export const list = group(open, [
  {
    work: 'LIST 10,000 objects, 2 connections, unchanged',
    async measure({ lab, ours, bare }, work) {
      const run = (server: Server) => () => lists(lab, server, 2, lab.count(12))
      return shareOfBare(work, await interleave(byCpu, run(ours), run(bare)), 0.6)
    },
  },
  {
    work: 'LIST 10,000 objects, 2 connections, 1 % changed before each list (CPU of the lists alone)',
    async measure({ lab, ours, bare }, work) {
      // One list per change: two that shared a change would share the work it makes.
      let changes = 0
      const changed = async () => {
        await change(lab, ours, changes)
        changes += CHANGED
        return lists(lab, ours, 2, 1)
      }
      const unchanged = () => lists(lab, bare, 2, 1)
      return shareOfBare(work, await interleave(byCpu, changed, unchanged, lab.count(11)), 0.35)
    },
  },
  {
    work: 'LIST 10,000 objects, 64 connections: peak of memory',
    async measure({ lab }, work) {
      // A server of its own: what earlier lists left in memory would hide the rise.
      const fresh = await lab.start(await lab.populatedDirectory())
      await sleep(SETTLE_MS)
      const before = residentMiB(fresh.pid)
      resetPeak(fresh.pid)
      await lists(lab, fresh, 64, 128)
      return atMostMemory(work, peakMiB(fresh.pid), before, 50)
    },
  },
])

async function open(lab: Lab) {
  const ours = await lab.start(await lab.populatedDirectory())
  const response = await fetch(`http://127.0.0.1:${ours.port}${COLLECTION}`)
  const bare = await lab.startBare('same-bytes', lab.newFile(await response.bytes()))
  return { lab, ours, bare }
}

function lists(lab: Lab, server: Server, connections: number, count: number) {
  return measureLoad(lab.load, server, { connections, count, status: 200, text: getText(server.port, COLLECTION) })
}

async function change(lab: Lab, { port }: Server, first: number): Promise<void> {
  const numbers = { first, count: CHANGED, cycle: OBJECTS, stride: STRIDE }
  await lab.load.runAll({ port, connections: 64, status: 200, text: patchText(port), ...numbers })
  // Their 64 connections are still being closed, which is no part of the list.
  await sleep(100)
}
