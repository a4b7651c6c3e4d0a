// One seed of the model: clients and executors of one namespace's queue on several servers, and trouble; then peace, in which everything
// has to end. Who acts and what is checked is that of the tests of one server (test/colony).

import { createHash } from 'node:crypto'
import type { Clock } from '@homeostat/base'
import { colonyDefinitions, colonyRules } from '@homeostat/colony/kinds'
import type { KubeObject } from '@homeostat/meta'
import { checkHistory } from '../colony/checker.ts'
import { SimulatedClient } from '../colony/simulated-client.ts'
import { SimulatedExecutor } from '../colony/simulated-executor.ts'
import { NAMESPACE, TYPES, World } from '../colony/world.ts'
import { randomFrom } from '../crash/random.ts'
import type { WatchedEvent } from '../watch-reader.ts'
import { Cluster } from './cluster.ts'
import { CALM, drawnFaults } from './faults.ts'
import type { Mistake } from './planted.ts'
import { prepare } from './prepare.ts'
import { QueueServer } from './queue-server.ts'
import { QueueWire } from './queue-wire.ts'
import type { SeedResult } from './seeds.ts'
import { Machines } from './troubles.ts'
import { TrueLog } from './true-log.ts'

const PACE = {
  heartbeat: 5000,
  submit: [50, 1500],
  life: [2000, 20_000],
  away: [0, 3000],
  work: [5, 1500],
  // A Process that was unlucky waits for minutes between its attempts.
  peace: 900_000,
} as const
const PREFIX = `colonies.io/processes/${NAMESPACE}/`

/** What is said of a run that shows nothing. */
export const NOTHING_DONE = 'no Process succeeded'

export async function runQueue(seed: number, mistake?: Mistake): Promise<SeedResult> {
  // The colony yields to others by the time on the wall, which no seed draws.
  const { now } = performance
  performance.now = () => 0
  try {
    return await liveThrough(seed, mistake)
  } finally {
    performance.now = now
  }
}

async function liveThrough(seed: number, mistake: Mistake | undefined): Promise<SeedResult> {
  const rules = (clock: Clock) =>
    colonyRules(
      () => clock.now(),
      'nobody',
      () => undefined,
    )
  // The checker compares times of servers with those of clients.
  const cluster = new Cluster({ seed, isSkewed: false, rules })
  const { schedule, random, truth } = cluster.network
  // The logs of Processes are files.
  schedule.waitsForFiles = true
  const log = new TrueLog(truth, await truth.revision())
  const queues = new Map<string, QueueServer>()
  const machines: Machines = new Machines(cluster, { mistake, steps: false })
  await prepare(cluster, machines, NAMESPACE)
  await machines.running[0]?.parts.establish(colonyDefinitions.map((one) => structuredClone(one) as KubeObject))
  // Until every server serves them.
  await schedule.pause(1000)
  const find = (id: string) => (machines.running.some((server) => server.id === id) ? queues.get(id) : undefined)
  machines.onStart = (server) => {
    queues.set(server.id, new QueueServer(server, find))
  }
  for (const server of machines.running) machines.onStart(server)

  const clock = schedule.clock()
  const wire = new QueueWire({ clock, random, server: () => machines.any(), queue: ({ id }) => queues.get(id) })
  const world = new World(clock, random, PACE, undefined, wire)
  const clients = ['p0', 'p1'].map((name) => new SimulatedClient(world, name))
  const ending = new AbortController()
  const asking = clients.map((client) => client.live())
  const executors = ['e0', 'e1', 'e2', 'e3'].map((name, index) =>
    new SimulatedExecutor(world, name, TYPES[index % TYPES.length] ?? TYPES[0]).live(ending.signal),
  )
  cluster.network.faults = drawnFaults(randomFrom(seed))
  await machines.trouble(random.between(1, 6))
  await schedule.pause(random.between(1000, 5000))

  cluster.network.faults = CALM
  await machines.heal()
  world.heal()
  await Promise.all(asking)
  await Promise.all(clients.map((client) => client.pause(false)))
  // In a short life one may have submitted nothing that could succeed.
  await Promise.all(clients.map((client) => client.submit()))
  for (let waited = 0; waited < PACE.peace && !allEnded(log); waited += 1000) await schedule.pause(1000)
  ending.abort()
  await Promise.all(executors)

  const events = eventsIn(log)
  const history = world.ledger.history(events, [...lastOf(events).values()])
  machines.close()
  await cluster.close()
  await log.close()
  const told = history.states.map(({ uid: _, ...state }) => state)
  return {
    wrong: [
      ...(told.some(({ phase }) => phase === 'Succeeded') ? [] : [NOTHING_DONE]),
      ...wire.surprises,
      ...checkHistory(history),
    ],
    digest: createHash('sha256').update(JSON.stringify(told)).digest('hex'),
  }
}

function eventsIn({ changes }: TrueLog): WatchedEvent[] {
  return changes.flatMap(({ key, revision, value, previous }) => {
    const state = value ?? previous?.value
    if (!key.startsWith(PREFIX) || state === undefined) return []
    const object = JSON.parse(Buffer.from(state.bytes).toString()) as KubeObject
    object.metadata.resourceVersion = String(revision)
    return [{ type: value === undefined ? 'DELETED' : 'MODIFIED', object }]
  })
}

function lastOf(events: readonly WatchedEvent[]): Map<string, KubeObject> {
  const last = new Map<string, KubeObject>()
  for (const { type, object } of events) {
    if (type === 'DELETED') last.delete(object.metadata.name ?? '')
    else last.set(object.metadata.name ?? '', object)
  }
  return last
}

function allEnded(log: TrueLog): boolean {
  return [...lastOf(eventsIn(log)).values()].every(({ status }) =>
    ['Succeeded', 'Failed', 'Cancelled'].includes((status as { phase: string }).phase),
  )
}
