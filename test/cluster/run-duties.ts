// One seed of the model: several servers that share duties, and trouble. In the end everything is led, by one that lives.

import { createHash } from 'node:crypto'
import { randomFrom } from '../crash/random.ts'
import { checkTerms } from './checkers/terms.ts'
import { Cluster } from './cluster.ts'
import { count, termsIn } from './counter.ts'
import { CALM, drawnFaults } from './faults.ts'
import type { ModelServer } from './model-server.ts'
import type { Mistake } from './planted.ts'
import { prepare } from './prepare.ts'
import type { SeedResult } from './seeds.ts'
import { Machines } from './troubles.ts'
import { TrueLog } from './true-log.ts'

const DUTIES = ['one', 'two', 'three', 'four']
/** A takeover, and a server that comes back. */
const SETTLED_MS = 10_000
const TAKEN_OVER_MS = 5000

export async function runDuties(seed: number, mistake?: Mistake): Promise<SeedResult> {
  const cluster = new Cluster({ seed })
  const { schedule, random, truth } = cluster.network
  const log = new TrueLog(truth, await truth.revision())
  const onStart = (server: ModelServer) => {
    for (const duty of DUTIES) count(server, duty, random)
  }
  const machines = new Machines(cluster, { onStart, mistake })
  await prepare(cluster, machines)
  cluster.network.faults = drawnFaults(randomFrom(seed))
  await machines.trouble(random.between(1, 8))
  await schedule.pause(random.between(0, 5000))
  cluster.network.faults = CALM
  await machines.heal()
  await schedule.pause(SETTLED_MS)
  const wrong = leaderless(machines.running).map(
    (duty) => `${duty} has not one leader ${SETTLED_MS} ms after all is well`,
  )
  const terms = termsIn(log)
  if (!terms.some(({ type }) => type === 'count')) wrong.push('no leader wrote anything')
  machines.close()
  await cluster.close()
  await log.close()
  const digest = createHash('sha256').update(JSON.stringify(terms)).digest('hex')
  return { wrong: [...wrong, ...checkTerms(terms)], digest }
}

/** Nothing is wrong but that one server dies, at any moment. */
export async function runTakeover(seed: number): Promise<SeedResult> {
  const cluster = new Cluster({ seed })
  const { schedule, random, truth } = cluster.network
  const log = new TrueLog(truth, await truth.revision())
  const onStart = (server: ModelServer) => {
    for (const duty of DUTIES) count(server, duty, random)
  }
  const machines = new Machines(cluster, { onStart })
  await prepare(cluster, machines)
  await schedule.pause(random.between(3000, 8000))
  const before = leaderless(machines.running).map((duty) => `nobody leads ${duty} while all is well`)
  random.pick(machines.running as [ModelServer]).kill()
  await schedule.pause(TAKEN_OVER_MS)
  const after = leaderless(machines.running).map((duty) => `nobody leads ${duty} ${TAKEN_OVER_MS} ms after a death`)
  const terms = termsIn(log)
  machines.close()
  await cluster.close()
  await log.close()
  const digest = createHash('sha256').update(JSON.stringify(terms)).digest('hex')
  return { wrong: [...before, ...after, ...checkTerms(terms)], digest }
}

/** The duties that not exactly one of the servers leads. */
function leaderless(servers: readonly ModelServer[]): string[] {
  return DUTIES.filter((duty) => servers.filter(({ parts }) => parts.duties.leader(duty) === 'here').length !== 1)
}
