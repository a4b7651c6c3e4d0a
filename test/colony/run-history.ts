// One random history: clients and executors at work on a colony, trouble from outside meanwhile, then peace, in which
// everything has to come to an end. The server is the caller's.

import { revisionOf } from '../http-call.ts'
import { WatchReader } from '../watch-reader.ts'
import { type History, hasEnded, type State } from './history.ts'
import { SimulatedClient } from './simulated-client.ts'
import { SimulatedExecutor } from './simulated-executor.ts'
import { NAMESPACE, ROOT, TYPES, type World } from './world.ts'

const CLIENTS = 3
const EXECUTORS = 12

/** Makes trouble until it is enough. It calls `follow` for every new server. */
type Trouble = (follow: (url: string) => void) => Promise<void>

/** `url` is where the server is at first. */
export async function runHistory(world: World, url: string, trouble: Trouble): Promise<History> {
  const { wire, random } = world
  wire.lead(url)
  wire.cuts = false
  await wire.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  const from = revisionOf((await wire.send('GET', `${ROOT}/processes`)).reply?.body)
  wire.cuts = true
  const reader = new WatchReader({ path: `${ROOT}/processes`, from })
  const watching = new Following(reader)
  watching.follow(url)

  const ending = new AbortController()
  const clients = Array.from({ length: CLIENTS }, (_, index) => new SimulatedClient(world, `p${index}`))
  const asking = clients.map((client) => client.live())
  const executors = Array.from({ length: EXECUTORS }, (_, index) => {
    const type = index < TYPES.length ? TYPES[index] : random.pick(TYPES)
    return new SimulatedExecutor(world, `e${index}`, type ?? TYPES[0]).live(ending.signal)
  })
  await trouble((next) => watching.follow(next))

  world.heal()
  await Promise.all(asking)
  await Promise.all(clients.map((client) => client.pause(false)))
  const last = world.clock.now() + world.pace.peace
  let listed = await list(world)
  // The checker reports what does not end in time.
  while (world.clock.now() < last && !listed.items.every((process: { status: State }) => hasEnded(process.status))) {
    await world.pause(world.pace.peace / 400, ending.signal)
    listed = await list(world)
  }
  await reader.reached(Math.max(from, ...listed.items.map(revisionOf)))
  ending.abort()
  await Promise.all(executors)
  await watching.close()
  wire.close()
  return world.ledger.history(reader.events, listed.items)
}

async function list({ wire }: World) {
  const { reply } = await wire.send('GET', `${ROOT}/processes`)
  if (reply?.code !== 200) throw new Error(`the processes could not be listed: ${JSON.stringify(reply)}`)
  return reply.body
}

/** Keeps a watch going from server to server. */
class Following {
  readonly #reader: WatchReader
  #life = new AbortController()
  #following: Promise<void> = Promise.resolve()

  constructor(reader: WatchReader) {
    this.#reader = reader
  }

  follow(url: string): void {
    this.#life.abort()
    this.#life = new AbortController()
    const { signal } = this.#life
    this.#following = this.#following.then(() => this.#reader.follow(url, signal))
  }

  async close(): Promise<void> {
    this.#life.abort()
    await this.#following
  }
}
