// GET one object, against a bare server returning the same bytes.

import { shareOfBare } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { getText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const PATH = `${COLLECTION}/item-00000000`

export const get = group(open, [
  {
    work: 'GET one object, 64 connections',
    async measure({ lab, ours, bare }, work) {
      const run = (server: Server) => () =>
        measureLoad(lab.load, server, {
          connections: 64,
          count: lab.count(4000),
          status: 200,
          text: getText(server.port, PATH),
        })
      return shareOfBare(work, await interleave(byCpu, run(ours), run(bare)), 0.7)
    },
  },
])

async function open(lab: Lab) {
  const ours = await lab.startWithDefinition()
  await lab.fill(ours, 0, 100)
  const response = await fetch(`http://127.0.0.1:${ours.port}${PATH}`)
  const bare = await lab.startBare('same-bytes', lab.newFile(await response.bytes()))
  return { lab, ours, bare }
}
