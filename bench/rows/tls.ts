// What TLS, a token and RBAC cost: requests of an account over TLS, against a bare node:https or against the administrator over
// plain HTTP of the same process.

import { atMostCount, atMostTimes, shareOfBare } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { createText, getText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import { secureFlags, startSecure, withToken } from '../servers/secure.ts'
import type { Server } from '../servers/server.ts'

const PATH = `${COLLECTION}/item-00000000`
const CONNECTIONS = 32
const STARTS = 3

export const tls = group(open, [
  {
    work: 'GET with TLS, a token and RBAC, against a bare `node:https`',
    async measure({ lab, ours, bare, token }, work) {
      const run = (server: Server, text: string) => () =>
        measureLoad(lab.load, server, {
          connections: CONNECTIONS,
          count: lab.count(4000),
          status: 200,
          text,
          tls: true,
        })
      const mine = run(ours, withToken(getText(ours.port, PATH), token))
      const theirs = run(bare, withToken(getText(bare.port, PATH), token))
      return shareOfBare(work, await interleave(byCpu, mine, theirs), 0.6)
    },
  },
  {
    work: 'durable create with TLS, a token and RBAC, against plain HTTP',
    async measure({ lab, ours, plain, token }, work) {
      let first = 1000
      const run = (server: Server, text: string, isTls: boolean) => () => {
        const count = lab.count(1200)
        first += count
        const plan = { connections: CONNECTIONS, count, first: first - count, status: 201, text, tls: isTls }
        return measureLoad(lab.load, server, plan)
      }
      const secured = run(ours, withToken(createText(ours.port), token), true)
      const cost = await interleave(byCpu, secured, run(plain, createText(plain.port), false))
      return atMostTimes(work, { ours: cost.ours.cpuUs, reference: cost.bare.cpuUs, unit: 'CPU' }, 1.2)
    },
  },
  {
    work: 'ready with --secure, second start: milliseconds more than without',
    async measure({ lab }, work) {
      const directory = lab.newDirectory()
      const flags = await secureFlags()
      const start = (more: readonly string[]) => async () => {
        const server = await lab.start(directory, lab.bundle, more)
        await server.stop()
        return server.readyMs
      }
      await start(flags)()
      const ready = await interleave((ms) => ms, start(flags), start([]), STARTS)
      return atMostCount(work, ready.ours - ready.bare, 60, `${ready.ours.toFixed(0)} ms, ${ready.bare.toFixed(0)} ms`)
    },
  },
])

async function open(lab: Lab) {
  const { plain, tls: ours, token, keys } = await startSecure(lab)
  await lab.fill(plain, 0, 100)
  const response = await fetch(`http://127.0.0.1:${plain.port}${PATH}`)
  const bare = await lab.startBare('same-bytes', lab.newFile(await response.bytes()), keys)
  return { lab, plain, ours, token, bare }
}
