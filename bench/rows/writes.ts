// Durable creates and merge patches, against a bare server that only parses, stringifies and commits.

import { join } from 'node:path'
import { shareOfBare } from '../finding.ts'
import { createText, patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const PATCHED = 1000

export const writes = group(open, [
  {
    work: 'durable create, 64 connections',
    measure: async (site, work) => shareOfBare(work, await creates(site, 64, 1200), 0.4),
  },
  {
    work: 'durable create, 1 connection',
    measure: async (site, work) => shareOfBare(work, await creates(site, 1, 300), 0.4),
  },
  {
    work: 'merge patch over 1,000 objects, 64 connections',
    measure: async (site, work) => shareOfBare(work, await patches(site, 1200), 0.3),
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
