// Whether a create costs the same whatever there is already: a server with 1,000 objects and one with 100,000, in turns.

import { atMostTimes } from '../finding.ts'
import { createText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const SMALL = 1000
const LARGE = 100_000

export const growth = group(open, [
  {
    work: 'create among 100,000 objects, against among 1,000',
    async measure({ lab, small, large }, work) {
      const count = lab.count(150)
      const run = (server: Server, objects: number) => () => {
        const first = objects
        objects += count
        const text = createText(server.port)
        return measureLoad(lab.load, server, { connections: 64, count, first, status: 201, text })
      }
      const { ours, bare } = await interleave(byCpu, run(large, LARGE), run(small, SMALL))
      return atMostTimes(work, { ours: ours.cpuUs, reference: bare.cpuUs, unit: 'CPU' }, 1.2)
    },
  },
])

async function open(lab: Lab) {
  const large = await lab.startWithDefinition()
  await lab.fill(large, 0, LARGE)
  return { lab, large, small: await warmSmall(lab) }
}

/** As warm as the large one: it has compiled its hot code by creating objects that are gone again. */
async function warmSmall(lab: Lab): Promise<Server> {
  const server = await lab.startWithDefinition()
  await lab.fill(server, LARGE, 9 * SMALL)
  await lab.empty(server)
  await lab.fill(server, 0, SMALL)
  return server
}
