// A watcher of the model: follows the objects on one server, and goes on at another from the last revision that it was told of. When
// that is not kept any more, it lists and begins a new stream, as informers do.

import type { EventSink, SentEvent } from '@homeostat/apiserver/testing/event-sink'
import { isStatusError } from '@homeostat/meta'
import type { StreamEvent } from '../crash/checker.ts'
import { Disconnected, type ModelServer } from './model-server.ts'
import { MAPS, NAMESPACE, type ObjectClientParts } from './object-client.ts'
import { revisionOf, tokenOf } from './recorder.ts'

export class ObjectWatcher {
  readonly #parts: ObjectClientParts
  #from = 0
  #revision = 0
  #events: StreamEvent[] = []
  #places: string[] = []
  #server: ModelServer | undefined
  #sink: EventSink | undefined
  #isEnding = false

  constructor(parts: ObjectClientParts, from: number) {
    this.#parts = parts
    this.#begin(from)
  }

  async run(): Promise<void> {
    const { random, schedule } = this.#parts
    while (!this.#isEnding) {
      await this.#connect()
      for (let rounds = random.between(1, 8); rounds > 0 && !this.#isEnding; rounds--) {
        await schedule.pause(random.between(0, 400))
        await this.#look(random.between(0, 3) === 0)
      }
      // The client may be gone before it reads what was sent.
      if (!this.#isEnding && random.between(0, 2) === 0) await this.#look(false)
      this.#sink?.end()
    }
  }

  /** After this, `run` ends where it is. */
  end(): void {
    this.#isEnding = true
  }

  /** Follows the server until it has nothing new, and writes the stream down. */
  async finish(server: ModelServer): Promise<void> {
    this.#sink?.end()
    await this.#connect(server)
    await this.#parts.schedule.pause(1000)
    await this.#look(true)
    this.#sink?.end()
    this.#write(undefined)
  }

  async #connect(server = this.#parts.server()): Promise<void> {
    this.#server = server
    this.#sink = undefined
    try {
      this.#sink = await server.request((parts) => parts.watch(MAPS, NAMESPACE, this.#revision))
      this.#places.push(`${server.id}@${this.#revision}`)
    } catch (error) {
      if (!(error instanceof Disconnected || isStatusError(error))) throw error
    }
  }

  async #look(bookmark: boolean): Promise<void> {
    const [server, sink] = [this.#server, this.#sink]
    if (server === undefined || sink === undefined) return
    // What a process that stands still has not sent does not arrive.
    await server.request(async () => bookmark && sink.bookmark()).catch(() => {})
    for (const event of sink.take()) {
      if (event.type === 'ERROR') return this.#expired(event)
      this.#revision = revisionOf(event.object)
      if (event.type === 'BOOKMARK') continue
      const { name = '' } = event.object.metadata
      this.#events.push({ type: event.type, key: name, revision: this.#revision, token: tokenOf(event.object) })
    }
  }

  /** The only error that a watch may end with. */
  async #expired({ object }: SentEvent): Promise<void> {
    const { code, message } = object as unknown as { code: number; message: string }
    this.#sink = undefined
    if (code !== 410) throw new Error(`a watch from ${this.#revision} ended with ${code}: ${message}`)
    this.#write(this.#revision)
    for (;;) {
      const server = this.#parts.server()
      try {
        const { revision } = await server.request((parts) => parts.list(MAPS, NAMESPACE, 'newest'))
        return this.#begin(revision)
      } catch (error) {
        if (!(error instanceof Disconnected || isStatusError(error))) throw error
      }
      await this.#parts.schedule.pause(100)
    }
  }

  #begin(from: number): void {
    this.#from = from
    this.#revision = from
    this.#events = []
    this.#places = []
  }

  #write(until: number | undefined): void {
    const name = `${this.#parts.name} (${this.#places.join(', ')})`
    this.#parts.recorder.streams.push({ name, from: this.#from, events: this.#events, ...(until && { until }) })
  }
}
