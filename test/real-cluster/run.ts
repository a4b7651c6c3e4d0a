// One run: three members of etcd, three servers, twenty clients, the faults of a seed, and then peace. It resolves to what is wrong.

import { cpSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { Change } from '@homeostat/store'
import { startEtcd } from '@homeostat/store/testing/etcd/etcd-cluster'
import { onTestFinished } from 'vitest'
import type { History } from '../cluster/checkers/operations.ts'
import type { History as ColonyHistory } from '../colony/history.ts'
import type { LogEntry } from '../crash/checker.ts'
import { randomFrom } from '../crash/random.ts'
import { tokenOf } from '../crash/token.ts'
import { STORE_PREFIX } from '../widgets.ts'
import { ColonySide, verdictOnColony } from './colony-side.ts'
import { FaultHands } from './fault-hands.ts'
import { drawPlan, MEMBERS, SERVERS } from './fault-plan.ts'
import { Follower } from './follower.ts'
import { type Ending, KeptServer } from './kept-server.ts'
import { Network } from './network.ts'
import { Truth } from './truth.ts'
import { verdictOn } from './verdict.ts'
import { type Told, WidgetClient } from './widget-client.ts'

const WRITERS = 8
const WATCHERS = 5
const KEYS = 12
/** A tenth of it is between heartbeats of the leader. */
const ELECTION_MS = 300
const ADD_ON = join(import.meta.dirname, '../crash/widget-add-on.ts')

export interface Report {
  readonly wrong: readonly string[]
  readonly faults: readonly string[]
  /** Ends of servers that nobody asked for. */
  readonly endings: readonly Ending[]
  /** The logs of the servers. */
  readonly said: Readonly<Record<string, string>>
  readonly history: History
  readonly colony: ColonyHistory
}

/** `tell` hears what happens as it happens. */
export async function run(seed: number, tell: (line: string) => void = () => {}): Promise<Report> {
  const random = randomFrom(seed)
  const plan = drawPlan(random)
  const network = new Network()
  onTestFinished(() => network.close())
  const cluster = await startEtcd({
    electionMs: ELECTION_MS,
    peerAddress: (name, port) => network.inFrontOf(name, port),
  })
  onTestFinished(() => cluster.close())
  const truth = new Truth(cluster)
  await truth.start()
  onTestFinished(() => truth.close())
  const servers = await startServers(network, cluster.members, tell)

  const told: Told = { operations: [], lists: [], surprises: [] }
  const clientOf = (name: string) => new WidgetClient(name, randomFrom(random.between(0, 1e9)), servers, told, KEYS)
  const followers = Array.from(
    { length: WATCHERS },
    (_, index) => new Follower(`watcher ${index}`, randomFrom(random.between(0, 1e9)), servers),
  )
  const colony = new ColonySide(randomFrom(random.between(0, 1e9)))
  await colony.start(servers.map(({ url }) => url))
  const [writing, watching] = [new AbortController(), new AbortController()]
  const writers = Array.from({ length: WRITERS }, (_, index) => clientOf(`w${index}`).run(writing.signal))
  const watchers = followers.map((follower) => follower.run(watching.signal))

  const hands = new FaultHands({ cluster, network, servers, truth, tell })
  await hands.carryOut(plan)

  const listed = await colony.settle()
  tell('all processes have ended')
  writing.abort()
  await Promise.all(writers)
  await clientOf('last').readAll()
  tell('everything was read once more')
  await truth.catchUp()
  const newest = truth.changes.findLast(({ key }) => key.startsWith(STORE_PREFIX))?.revision ?? 0
  const isBehind = () => followers.some(({ revision }) => revision < newest)
  // A watcher that stays behind is found by the verdict.
  for (let tries = 0; tries < 600 && isBehind(); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
  watching.abort()
  await Promise.all(watchers)
  await Promise.all(servers.map((server) => server.close()))
  await truth.catchUp()
  const stored = await truth.stored()

  const streams = followers.flatMap((follower) => follower.streams)
  const history: History = { ...told, streams, log: truth.changes.filter(isWidget).map(entryOf) }
  const endings = servers.flatMap((server) => server.endings)
  const colonyHistory = colony.history(truth.changes, listed)
  const wrong = [
    ...told.surprises,
    ...colony.surprises,
    ...followers.flatMap(({ surprises }) => surprises),
    ...compareWithStored(truth.changes, stored, hands.restored?.until),
    ...verdictOn(history, hands.restored),
    ...crashes(endings),
    ...verdictOnColony(colonyHistory, hands.restored !== undefined),
  ]
  const said = Object.fromEntries(servers.map((server) => [server.name, server.said]))
  return { wrong, faults: hands.log, endings, said, history, colony: colonyHistory }
}

/** The first one makes the keys, which the others get as their administrator would copy them. */
async function startServers(
  network: Network,
  members: readonly { readonly name: string; readonly clientUrl: string }[],
  tell: (line: string) => void,
): Promise<KeptServer[]> {
  const folder = temporaryFolder()
  const servers: KeptServer[] = []
  for (const name of SERVERS) {
    const [port, securePort] = [await freePort(), await freePort()]
    const directory = join(folder, name)
    mkdirSync(directory, { mode: 0o700 })
    if (name !== SERVERS[0]) cpSync(join(folder, SERVERS[0], 'pki'), join(directory, 'pki'), { recursive: true })
    const ports = await Promise.all(
      MEMBERS.map((member) => {
        const { clientUrl = '' } = members.find((one) => one.name === member) ?? {}
        return network.between(name, member, Number(new URL(clientUrl).port))
      }),
    )
    const etcd = ports.map((one) => `http://127.0.0.1:${one}`).join(',')
    const flags = ['--store', 'etcd', '--etcd', etcd, '--secure-port', `${securePort}`, '--with', ADD_ON]
    const server = new KeptServer({ name, port, directory, flags: [...flags, '--log-level', 'info'], tell })
    servers.push(server)
    onTestFinished(() => server.close())
    await server.start()
  }
  return servers
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function isWidget({ key }: Change): boolean {
  return key.startsWith(STORE_PREFIX)
}

function entryOf({ key, revision, value }: Change): LogEntry {
  const token = value === undefined ? undefined : tokenOf(JSON.parse(Buffer.from(value.bytes).toString()))
  return { key: key.slice(STORE_PREFIX.length), revision, token }
}

/** Whoever cannot go on says so in a line and ends. An error that nobody caught ends Node, which then names its version. */
function crashes(endings: readonly Ending[]): string[] {
  return endings
    .filter(({ stderr }) => /^Node\.js v/m.test(stderr))
    .map(({ server, stderr }) => `crash: ${server} ended by an error that nobody caught:\n${stderr}`)
}

/** What the changes add up to is what etcd holds. */
function compareWithStored(changes: readonly Change[], stored: ReadonlyMap<string, number>, until = 0): string[] {
  const held = new Map<string, number>()
  for (const { key, revision, value } of changes) {
    if (value === undefined) held.delete(key)
    else held.set(key, revision)
  }
  const keys = [...new Set([...held.keys(), ...stored.keys()])]
  // A restored snapshot took back what came after it.
  return keys
    .filter((key) => held.get(key) !== stored.get(key) && (held.get(key) ?? 0) > until)
    .map((key) => `truth: ${key} is at ${held.get(key)} by its changes, and at ${stored.get(key)} in etcd`)
}
