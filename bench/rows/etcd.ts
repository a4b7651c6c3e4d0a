// What requests cost on etcd, over TLS with a token: ours against a kube-apiserver on the same member. Rows of writes count the CPU of
// etcd, too. They are left out, and say so, where no kube-apiserver is named.

import { atMostTimes } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { createText, getText, patchText, WATCH } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import type { LoadGenerator } from '../load/load-generator.ts'
import type { RequestPlan } from '../load/protocol.ts'
import { interleave } from '../measure.ts'
import { settledCpuUs } from '../process-usage.ts'
import { type Group, group } from '../row.ts'
import { type Etcd, startEtcdFor } from '../servers/etcd.ts'
import { kubeApiserverProgram, startKubeApiserver } from '../servers/kube-apiserver.ts'
import { startSecure, withToken } from '../servers/secure.ts'
import type { Server } from '../servers/server.ts'

const OBJECTS = 10_000
const CONNECTIONS = 32
const WATCHERS = 200
const CHANGED = 50
const TIMES = 10

interface Side {
  readonly server: Server
  readonly token: string
  /** Keeps its watches open. */
  readonly watchers: LoadGenerator
}

interface Site {
  readonly lab: Lab
  readonly etcd: Etcd
  readonly ours: Side
  readonly theirs: Side
}

type Costs = (site: Site) => (side: Side) => Promise<number>

const measured = group(open, [
  row('create on etcd over TLS, 32 connections: CPU of server and etcd, against kube-apiserver', 0.35, (site) => {
    let first = OBJECTS
    return (side) => {
      const count = site.lab.count(1000)
      first += count
      return cost(site, side, [site.etcd, side.server], {
        connections: CONNECTIONS,
        count,
        first: first - count,
        status: 201,
        text: withToken(createText(side.server.port), side.token),
      })
    }
  }),
  row('GET of the cache on etcd over TLS, 32 connections, against kube-apiserver', 0.35, (site) => (side) => {
    const text = withToken(getText(side.server.port, `${COLLECTION}/item-00000000?resourceVersion=0`), side.token)
    const plan = { connections: CONNECTIONS, count: site.lab.count(3000), status: 200, text }
    return cost(site, side, [side.server], plan)
  }),
  row(
    'GET of the newest state on etcd, 32 connections: CPU of server and etcd, against kube-apiserver',
    0.15,
    (site) => {
      return (side) => {
        const text = withToken(getText(side.server.port, `${COLLECTION}/item-00000000`), side.token)
        const plan = { connections: CONNECTIONS, count: site.lab.count(2000), status: 200, text }
        return cost(site, side, [site.etcd, side.server], plan)
      }
    },
  ),
  row('LIST of 10,000 on etcd over TLS, 2 connections, against kube-apiserver', 0.1, (site) => (side) => {
    const text = withToken(getText(side.server.port, `${COLLECTION}?resourceVersion=0`), side.token)
    return cost(site, side, [side.server], { connections: 2, count: site.lab.count(10), status: 200, text })
  }),
  row('watch event on etcd to 200 watchers over TLS, each delivery, against kube-apiserver', 0.35, (site) => {
    let first = 0
    return async (side) => {
      const us = await changes(site, side, first)
      // A patch that changes nothing has no event.
      first += CHANGED * site.lab.count(TIMES)
      return us / WATCHERS
    }
  }),
])

export const etcd: Group = {
  async run(lab, wanted, found) {
    if (kubeApiserverProgram() !== undefined) return measured.run(lab, wanted, found)
    if (wanted('on etcd, against kube-apiserver'))
      console.error('left out: rows on etcd against kube-apiserver, since HOMEOSTAT_KUBE_APISERVER names none')
  },
}

function row(work: string, bar: number, costs: Costs) {
  return {
    work,
    async measure(site: Site) {
      const run = costs(site)
      const { ours, bare } = await interleave(
        (us: number) => us,
        () => run(site.ours),
        () => run(site.theirs),
        3,
      )
      return atMostTimes(work, { ours, reference: bare, unit: 'CPU' }, bar)
    },
  }
}

async function open(lab: Lab): Promise<Site> {
  const etcd = await startEtcdFor(lab, 1)
  const { tls, token } = await startSecure(lab, undefined, etcd.flags)
  const [endpoint = ''] = etcd.cluster.endpoints
  const kube = lab.keep(await startKubeApiserver(kubeApiserverProgram() ?? '', endpoint, lab.newDirectory()))
  const ours = { server: tls, token, watchers: lab.newLoad() }
  const theirs = { server: kube, token: kube.token, watchers: lab.newLoad() }
  for (const { server, token } of [ours, theirs]) {
    const text = withToken(createText(server.port), token)
    await lab.load.runAll({ port: server.port, connections: 64, count: OBJECTS, status: 201, text, tls: true })
  }
  return { lab, etcd, ours, theirs }
}

/** CPU microseconds of the processes for each request. */
async function cost(
  { lab }: Site,
  { server }: Side,
  processes: readonly Server[],
  plan: Omit<RequestPlan, 'port' | 'tls'>,
): Promise<number> {
  await lab.load.open({ ...plan, port: server.port, tls: true })
  const before = await sum(processes)
  await lab.load.run()
  const us = ((await sum(processes)) - before) / plan.count
  await lab.load.close()
  return us
}

const watching = new WeakSet<Side>()

/** CPU of the server for each of some changes that all watchers see. */
async function changes({ lab }: Site, side: Side, first: number): Promise<number> {
  const { server, token, watchers } = side
  const { port } = server
  if (!watching.has(side)) {
    const text = withToken(getText(port, WATCH), token)
    await watchers.watch({ port, watchers: WATCHERS, text, tls: true })
    watching.add(side)
  }
  const text = withToken(patchText(port), token)
  const times = lab.count(TIMES)
  const plan = { connections: CONNECTIONS, first, count: CHANGED, cycle: CHANGED, status: 200, text }
  await watchers.open({ ...plan, port, tls: true })
  const before = await settledCpuUs(server.pid)
  await watchers.run(times, true)
  const us = ((await settledCpuUs(server.pid)) - before) / CHANGED / times
  await watchers.close()
  return us
}

async function sum(processes: readonly Server[]): Promise<number> {
  let total = 0
  for (const { pid } of processes) total += await settledCpuUs(pid)
  return total
}
