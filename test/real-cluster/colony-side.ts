// Executors with bad luck and people who submit and meddle, each call at any of the servers. What they were told is judged by the
// checker of colonies, with the states of Processes as the store has them.

import { systemClock } from '@homeostat/base'
import type { Change } from '@homeostat/store'
import { checkHistory } from '../colony/checker.ts'
import { type History, hasEnded, type State } from '../colony/history.ts'
import { SimulatedClient } from '../colony/simulated-client.ts'
import { SimulatedExecutor } from '../colony/simulated-executor.ts'
import { NAMESPACE, ROOT, TYPES, World } from '../colony/world.ts'
import type { Random } from '../crash/random.ts'
import type { WatchedEvent } from '../watch-reader.ts'

const PREFIX = `colonies.io/processes/${NAMESPACE}/`
const CLIENTS = 2
const EXECUTORS = 5
const PACE = {
  heartbeat: 1500,
  submit: [20, 200],
  life: [500, 8000],
  away: [0, 2000],
  work: [0, 250],
  peace: 90_000,
} as const
/** Longer than any call that is answered, also when it waits for another server. */
const PATIENCE_MS = 20_000

export class ColonySide {
  readonly #world: World
  readonly #clients: readonly SimulatedClient[]
  readonly #ending = new AbortController()
  #asking: Promise<unknown> = Promise.resolve()
  #executing: Promise<unknown> = Promise.resolve()

  constructor(random: Random) {
    this.#world = new World(systemClock, random, PACE, PATIENCE_MS)
    this.#clients = Array.from({ length: CLIENTS }, (_, index) => new SimulatedClient(this.#world, `p${index}`))
  }

  get surprises(): readonly string[] {
    return this.#world.wire.surprises
  }

  async start(urls: readonly string[]): Promise<void> {
    const { wire, random } = this.#world
    wire.lead(...urls)
    wire.cuts = false
    await wire.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE },
    })
    wire.cuts = true
    this.#asking = Promise.all(this.#clients.map((client) => client.live()))
    const executors = Array.from({ length: EXECUTORS }, (_, index) => {
      const type = TYPES[index] ?? random.pick(TYPES)
      return new SimulatedExecutor(this.#world, `e${index}`, type).live(this.#ending.signal)
    })
    this.#executing = Promise.all(executors)
  }

  /** Everybody behaves now, and everything has to come to an end. Resolves to what a list shows then. */
  async settle(): Promise<WatchedEvent['object'][]> {
    const { clock, pace } = this.#world
    this.#world.heal()
    await this.#asking
    await Promise.all(this.#clients.map((client) => client.pause(false)))
    const last = clock.now() + pace.peace
    let listed = await this.#list()
    // What does not end in time is found by the verdict.
    while (clock.now() < last && !listed.every(ended)) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      listed = await this.#list()
    }
    this.#ending.abort()
    await this.#executing
    this.#world.wire.close()
    return listed
  }

  history(changes: readonly Change[], listed: readonly WatchedEvent['object'][]): History {
    return this.#world.ledger.history(processEvents(changes), listed)
  }

  async #list(): Promise<WatchedEvent['object'][]> {
    for (;;) {
      const { reply } = await this.#world.wire.send('GET', `${ROOT}/processes`)
      if (reply?.code === 200) return reply.body.items
    }
  }
}

/** After a restored snapshot what was done before it counts for nothing, but everything still comes to an end. */
export function verdictOnColony(history: History, isRestored: boolean): string[] {
  if (!isRestored) return checkHistory(history)
  return history.listed
    .filter((state) => !hasEnded(state))
    .map(({ process, phase }) => `never ended: ${process} is ${phase}`)
}

function ended({ status }: WatchedEvent['object']): boolean {
  return hasEnded(status as unknown as State)
}

/** As a watch would deliver them. */
function processEvents(changes: readonly Change[]): WatchedEvent[] {
  const held = new Map<string, WatchedEvent['object']>()
  return changes.flatMap(({ key, revision, value }) => {
    if (!key.startsWith(PREFIX)) return []
    const before = held.get(key)
    const object = value === undefined ? before : JSON.parse(Buffer.from(value.bytes).toString())
    if (object === undefined) return []
    const shown = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
    if (value === undefined) held.delete(key)
    else held.set(key, shown)
    return [{ type: value === undefined ? 'DELETED' : 'MODIFIED', object: shown }]
  })
}
