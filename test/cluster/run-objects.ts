// One seed of the model: several servers, clients and watchers of the same few objects, and trouble. Resolves to what is wrong.

import { createHash } from 'node:crypto'
import { randomFrom } from '../crash/random.ts'
import { checkHistory } from './checkers/check-history.ts'
import { Cluster } from './cluster.ts'
import { CALM, drawnFaults } from './faults.ts'
import { KEYS, NAMESPACE, ObjectClient } from './object-client.ts'
import { ObjectWatcher } from './object-watcher.ts'
import type { Mistake } from './planted.ts'
import { prepare } from './prepare.ts'
import { Recorder } from './recorder.ts'
import type { SeedResult } from './seeds.ts'
import { Machines } from './troubles.ts'
import { TrueLog } from './true-log.ts'

const PREFIX = `core/configmaps/${NAMESPACE}/`

export async function runObjects(seed: number, mistake?: Mistake): Promise<SeedResult> {
  const cluster = new Cluster({ seed })
  const { network } = cluster
  const { schedule, random, truth } = network
  const log = new TrueLog(truth, await truth.revision())
  const machines = new Machines(cluster, { mistake })
  await prepare(cluster, machines)
  network.faults = drawnFaults(randomFrom(seed))
  const recorder = new Recorder()
  const parts = (name: string) => ({ name, random, schedule, recorder, server: () => machines.any() })
  const from = await truth.revision()
  const watchers = ['w0', 'w1'].map((name) => new ObjectWatcher(parts(name), from))
  const watching = watchers.map((watcher) => watcher.run())
  const clients = ['x', 'y', 'z'].map((name) => new ObjectClient(parts(name)))
  await Promise.all([machines.trouble(random.between(0, 6)), ...clients.map((client) => client.run(8))])

  network.faults = CALM
  await machines.heal()
  // Writes in doubt may still come.
  await schedule.pause(15_000)
  for (const watcher of watchers) watcher.end()
  await Promise.all(watching)
  const [last] = clients as [ObjectClient]
  for (const server of machines.running) for (const key of KEYS) await last.read(key, 'newest', server)
  await Promise.all(watchers.map((watcher) => watcher.finish(machines.any())))

  const history = recorder.history(log.under(PREFIX, tokenIn))
  machines.close()
  await cluster.close()
  await log.close()
  return { wrong: checkHistory(history), digest: createHash('sha256').update(JSON.stringify(history)).digest('hex') }
}

function tokenIn(text: string): string {
  return (JSON.parse(text) as { data?: { token?: string } }).data?.token ?? 'no token'
}
