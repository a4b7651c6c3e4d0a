// Durable creates and merge patches, against a bare server that only parses, stringifies and commits.

import { join } from 'node:path'
import { atMostTimes, shareOfBare } from '../finding.ts'
import { applyText, createText, patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const PATCHED = 1000

export const writes = group(open, [
  {
    work: 'durable create, 64 connections',
    measure: async (site, work) => shareOfBare(work, await creates(site, 64, 1200), 0.33),
  },
  {
    work: 'durable create, 1 connection',
    measure: async (site, work) => shareOfBare(work, await creates(site, 1, 300), 0.33),
  },
  {
    work: 'merge patch over 1,000 objects, 64 connections',
    measure: async (site, work) => shareOfBare(work, await patches(site, 1200), 0.3),
  },
  {
    work: 'apply of an unchanged object, against a merge patch',
    async measure(site, work) {
      const { ours, bare } = await applies(site, 1200)
      return atMostTimes(work, { ours: ours.cpuUs, reference: bare.cpuUs, unit: 'CPU' }, 1.5)
    },
  },
])

interface Site {
  readonly lab: Lab
  readonly ours: Server
  readonly bare: Server
}

async function open(lab: Lab): Promise<Site> {
  const ours = await lab.startWithDefinition()
  const bare = await lab.startBare('writes', join(lab.newDirectory(), 'bare.sqlite'))
  await lab.fill(ours, 0, PATCHED)
  await lab.fill(bare, 0, PATCHED)
  return { lab, ours, bare }
}

/** Both servers number their objects alike; no number is used twice. */
let created = PATCHED

function creates({ lab, ours, bare }: Site, connections: number, full: number) {
  const count = lab.count(full)
  const run = (server: Server) => () => {
    const first = created
    created += count
    return measureLoad(lab.load, server, { connections, count, first, status: 201, text: createText(server.port) })
  }
  return interleave(byCpu, run(ours), run(bare))
}

function patches({ lab, ours, bare }: Site, full: number) {
  const count = lab.count(full)
  let patched = 0
  const run = (server: Server) => () => {
    const first = patched
    patched += count
    const plan = { connections: 64, count, first, cycle: PATCHED, status: 200, text: patchText(server.port) }
    return measureLoad(lab.load, server, plan)
  }
  return interleave(byCpu, run(ours), run(bare))
}

/** Applies and patches have a server each: what is patched is not unchanged. */
async function applies({ lab, ours }: Site, full: number) {
  const count = lab.count(full)
  const plan = { connections: 64, count, cycle: PATCHED, status: 200 }
  const applied = await lab.startWithDefinition()
  await lab.fill(applied, 0, PATCHED)
  const apply = { ...plan, first: 0, text: applyText(applied.port) }
  // The first time it is a change: the manager is new.
  await measureLoad(lab.load, applied, { ...apply, count: PATCHED })
  let patched = 0
  const patch = () => {
    const first = patched
    patched += count
    return measureLoad(lab.load, ours, { ...plan, first, text: patchText(ours.port) })
  }
  return interleave(byCpu, () => measureLoad(lab.load, applied, apply), patch)
}
