// Many open watches of one path, counting the events each gets. The load process calls it.

import { Connection } from './connection.ts'
import type { Times } from './latencies.ts'
import type { WatchPlan } from './protocol.ts'

const NEWLINE = 10

export class WatcherCrowd {
  readonly #watchers: Connection[]
  #onEvent: (now: number) => void = () => {}
  #fail: (error: Error) => void = () => {}

  private constructor(watchers: Connection[]) {
    this.#watchers = watchers
    for (const watcher of watchers) {
      watcher.onBody = (buffer, start, end) => this.#count(buffer, start, end)
      watcher.onLost = (error) => this.#fail(error)
    }
  }

  static async open(plan: WatchPlan): Promise<WatcherCrowd> {
    const watchers: Connection[] = []
    for (let i = 0; i < plan.watchers; i++) watchers.push(await openWatch(plan))
    return new WatcherCrowd(watchers)
  }

  /** Starts the changes and waits until every watcher has that many events. Times run from the start to each delivery. */
  async deliver(changes: number, start: () => Promise<unknown>): Promise<Times> {
    const latencies = new Float64Array(changes * this.#watchers.length)
    const delivered = Promise.withResolvers<void>()
    this.#fail = delivered.reject
    let seen = 0
    const began = performance.now()
    this.#onEvent = (now) => {
      latencies[seen++] = now - began
      if (seen === latencies.length) delivered.resolve()
    }
    await Promise.all([start(), delivered.promise])
    return { wallMs: performance.now() - began, latencies }
  }

  #count(buffer: Buffer, start: number, end: number): void {
    const now = performance.now()
    let at = buffer.indexOf(NEWLINE, start)
    while (at >= 0 && at < end) {
      this.#onEvent(now)
      at = buffer.indexOf(NEWLINE, at + 1)
    }
  }
}

async function openWatch(plan: WatchPlan): Promise<Connection> {
  const connection = await Connection.open(plan.port, plan.tls)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  connection.onLost = reject
  connection.onHead = (status) => (status === 200 ? resolve() : reject(new Error(`watch got status ${status}`)))
  connection.send(plan.text)
  await promise
  return connection
}
