// A watcher of Widgets that goes from server to server with the last revision that it saw. Only where that is too old does it list and
// begin anew: then what it saw before is one stream, and what it sees from there on another.

import type { Stream } from '../crash/checker.ts'
import { keyOf } from '../crash/ledger.ts'
import type { Random } from '../crash/random.ts'
import { tokenOf } from '../crash/token.ts'
import { revisionOf } from '../http-call.ts'
import { type WatchedEvent, WatchReader } from '../watch-reader.ts'
import { widgetPath } from '../widgets.ts'
import { Asker } from './ask.ts'
import type { KeptServer } from './kept-server.ts'
import { NAMESPACE } from './widget-client.ts'

const STAY_MS = [300, 5000] as const
const AGAIN_MS = 20
const TOO_OLD = /^410|"code":410|Expired|Gone/

/** Of a stream that was given up for a newer one: what came between them was never watched. */
export const LEFT = ', given up'

interface Part {
  readonly from: number
  readonly events: WatchedEvent[]
}

export class Follower {
  readonly #name: string
  readonly #random: Random
  readonly #servers: readonly KeptServer[]
  readonly #asker = new Asker()
  readonly #parts: Part[] = []
  /** What no server should say to a watcher. */
  readonly surprises: string[] = []
  #revision = 0

  constructor(name: string, random: Random, servers: readonly KeptServer[]) {
    this.#name = name
    this.#random = random
    this.#servers = servers
  }

  get revision(): number {
    return this.#revision
  }

  get streams(): Stream[] {
    return this.#parts.map(({ from, events }, index) => ({
      name: index < this.#parts.length - 1 ? `${this.#name}, part ${index}${LEFT}` : `${this.#name}, part ${index}`,
      from,
      events: events.map(({ type, object }) => ({
        type,
        key: keyOf(object),
        revision: revisionOf(object),
        token: tokenOf(object),
      })),
    }))
  }

  async run(signal: AbortSignal): Promise<void> {
    let part: Part | undefined
    while (!signal.aborted) {
      part ??= await this.#begin()
      if (part !== undefined && !(await this.#follow(part, signal))) part = undefined
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
    this.#asker.close()
  }

  async #begin(): Promise<Part | undefined> {
    const answer = await this.#asker.ask('GET', this.#anyServer().url + widgetPath(NAMESPACE))
    if (answer?.code !== 200) return undefined
    this.#revision = revisionOf(answer.body)
    const part = { from: this.#revision, events: [] }
    this.#parts.push(part)
    return part
  }

  /** False when what the watcher has seen is too old to go on from. */
  async #follow(part: Part, signal: AbortSignal): Promise<boolean> {
    const server = this.#anyServer()
    // In turns the Kubernetes way and as browsers do.
    const serverSent = this.#random.between(0, 3) === 0
    const path = serverSent ? `/watch?resource=widgets&namespace=${NAMESPACE}` : widgetPath(NAMESPACE)
    const reader = new WatchReader({ path, from: this.#revision, serverSent })
    const leaving = AbortSignal.timeout(this.#random.between(...STAY_MS))
    const until = AbortSignal.any([signal, leaving])
    await reader.follow(server.url, until)
    part.events.push(...reader.events)
    this.#revision = reader.revision
    const [failure] = reader.failures
    if (failure === undefined) return true
    if (TOO_OLD.test(failure)) return false
    if (!/^(429|503|504)|"code":(429|500|503|504)/.test(failure))
      this.surprises.push(`${this.#name} at ${server.name}: ${failure}`)
    return true
  }

  #anyServer(): KeptServer {
    return this.#random.pick(this.#servers as [KeptServer, ...KeptServer[]])
  }
}
