// Watches over TLS: what a delivery costs more than over plain HTTP, and what 1,000 of them take when nothing happens. A connection of
// HTTP/1.1 has the buffers of OpenSSL, which a server cannot choose; so its memory is judged against a bare node:https.

import { setTimeout as sleep } from 'node:timers/promises'
import { atMostMemory, atMostTimes, atMostTimesMemory } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { getText, patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import type { LoadGenerator } from '../load/load-generator.ts'
import { interleave } from '../measure.ts'
import { residentMiB, settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import { startSecure, withToken } from '../servers/secure.ts'
import type { Server } from '../servers/server.ts'

const WATCHERS = 1000
const SETTLE_MS = 3000

export const tlsWatches = group(open, [
  {
    work: 'watch over TLS, 1,000 watchers, one event: per delivery, against plain HTTP',
    async measure({ overTls, overHttp }, work) {
      const perDelivery = await interleave((us) => us, deliveries(overTls), deliveries(overHttp))
      return atMostTimes(work, { ours: perDelivery.ours, reference: perDelivery.bare, unit: 'CPU' }, 2.5)
    },
  },
  {
    work: 'resident memory of 1,000 idle watches over TLS, HTTP/1.1, against a bare `node:https`',
    measure: async ({ overTls, bareRise }, work) => atMostTimesMemory(work, overTls.rise, bareRise, 1.2),
  },
  {
    work: 'resident memory of 1,000 idle watches over TLS, HTTP/2',
    async measure({ lab }, work) {
      const { plain, tls, token } = await startSecure(lab)
      const load = lab.newLoad()
      const path = `${COLLECTION}?watch=true`
      // The first connection loads what all of them need, and the requests fill the young generation once.
      await warm(lab, plain)
      await load.watchHttp2({ port: tls.port, watchers: 1, path, token })
      const before = await restingMiB(plain)
      await load.watchHttp2({ port: tls.port, watchers: WATCHERS, path, token })
      return atMostMemory(work, await restingMiB(plain), before, 15)
    },
  },
])

interface Watched {
  readonly server: Server
  readonly load: LoadGenerator
  /** What the watches added to the resident memory, in MiB. */
  readonly rise: number
}

async function open(lab: Lab) {
  const secured = await startSecure(lab)
  const plain = await lab.startWithDefinition()
  const path = `${COLLECTION}?watch=true`
  const bare = await lab.startBare('watch', lab.newFile(Buffer.from('{}\n')), secured.keys)
  const bareWatched = await withWatches(lab, bare, { text: getText(bare.port, path), isTls: true })
  const overTls = await withWatches(lab, secured.tls, {
    text: withToken(getText(secured.tls.port, path), secured.token),
    isTls: true,
  })
  const overHttp = await withWatches(lab, plain, { text: getText(plain.port, path), isTls: false })
  // After the watches began, so that each of them is idle first.
  for (const server of [secured.plain, plain]) await lab.fill(server, 0, 1)
  return {
    lab,
    overTls: { ...overTls, server: secured.plain },
    overHttp,
    bareRise: bareWatched.rise,
  }
}

async function withWatches(
  lab: Lab,
  server: Server,
  { text, isTls }: { text: string; isTls: boolean },
): Promise<Watched> {
  const load = lab.newLoad()
  await load.watch({ port: server.port, watchers: 1, text, tls: isTls })
  const before = await restingMiB(server)
  await load.watch({ port: server.port, watchers: WATCHERS, text, tls: isTls })
  return { server, load, rise: (await restingMiB(server)) - before }
}

/** Changes one object some times over plain HTTP, as the administrator; resolves to the CPU per delivery. */
function deliveries({ server, load }: Watched): () => Promise<number> {
  const times = 5
  return async () => {
    const { port } = server
    await load.open({ port, connections: 1, status: 200, text: patchText(port), count: 1, cycle: 1 })
    const before = await settledCpuUs(server.pid)
    await load.run(times, true)
    const used = (await settledCpuUs(server.pid)) - before
    await load.close()
    return used / times / WATCHERS
  }
}

async function warm(lab: Lab, { port }: Server): Promise<void> {
  await lab.load.runAll({ port, connections: 16, count: 10_000, status: 404, text: getText(port, '/no/such/path') })
}

async function restingMiB({ pid }: Server): Promise<number> {
  await sleep(SETTLE_MS)
  return residentMiB(pid)
}
