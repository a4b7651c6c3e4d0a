// Asks etcd for its revision and waits until the live watch has passed it: then the watch's newest change is the truth, of
// all servers. All who ask in one turn of the event loop share one question; questions of several turns are under way at once.

import type { LiveWatch, Position } from './live-watch.ts'
import type { Session } from './session.ts'

export class NewestQuestion {
  readonly #session: Session
  readonly #live: LiveWatch
  #forming: Promise<Position> | undefined

  constructor(session: Session, live: LiveWatch) {
    this.#session = session
    this.#live = live
  }

  ask(): Promise<Position> {
    this.#forming ??= this.#ask()
    return this.#forming
  }

  async #ask(): Promise<Position> {
    // Runs after the poll phase, so that requests which arrived in one turn share it.
    await new Promise((resolve) => setImmediate(resolve))
    this.#forming = undefined
    const { client, layout, settings } = this.#session
    // Before the question: the watch overtakes the answer while others write.
    const { passed } = this.#live.position
    const { revision } = await client.range({ key: layout.meta('store'), keysOnly: true })
    if (revision < passed) {
      this.#session.end(`etcd's revision went back from ${passed} to ${revision}, as after a restored snapshot`)
    }
    await this.#live.passes(revision, settings.requestTimeoutMs)
    this.#session.assertOpen()
    return this.#live.position
  }
}
