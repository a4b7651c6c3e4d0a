// A machine of the model with one server on it: the process can stand still, be killed and come back, on the machine's clock.
// Clients reach it by `request`.

import { BareServer } from '@homeostat/apiserver/testing/bare-server'
import type { Cluster } from './cluster.ts'
import type { Mistake } from './planted.ts'
import type { SteppedClock } from './schedule.ts'
import type { ServerView } from './server-view.ts'

/** What a client is told when its connection broke: its request may or may not have been carried out. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected'
}

export class ModelServer {
  /** Of the machine; the server that comes back on it has the same. */
  readonly name: string
  readonly id: string
  readonly clock: SteppedClock
  readonly view: ServerView
  readonly parts: BareServer
  readonly #ended = Promise.withResolvers<never>()
  #awake: PromiseWithResolvers<void> | undefined
  #isDead = false

  private constructor(name: string, id: string, clock: SteppedClock, view: ServerView, parts: BareServer) {
    this.name = name
    this.id = id
    this.clock = clock
    this.view = view
    this.parts = parts
    this.#ended.promise.catch(() => {})
    parts.followed.catch(() => this.kill())
  }

  /** Rejects when the store does not answer. */
  static async start(cluster: Cluster, name: string, id: string, mistake: Mistake = {}): Promise<ModelServer> {
    const { schedule, random } = cluster.network
    const clock = schedule.clock(cluster.isSkewed ? random.between(-3000, 3000) : 0)
    const view = await cluster.view(id)
    const parts = await BareServer.start({
      store: mistake.store?.(view, random) ?? view,
      clock,
      id,
      rules: cluster.rules(clock, id),
    })
    mistake.server?.(parts)
    return new ModelServer(name, id, clock, view, parts)
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Answers when the process runs; rejects with Disconnected when it ends before. */
  async request<T>(answer: (parts: BareServer) => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Disconnected()
    while (this.#awake !== undefined) await Promise.race([this.#awake.promise, this.#ended.promise])
    return Promise.race([answer(this.parts), this.#ended.promise])
  }

  freeze(): void {
    this.#awake ??= Promise.withResolvers()
    this.clock.freeze()
    this.view.freeze()
  }

  thaw(): void {
    if (this.#isDead) return
    this.#awake?.resolve()
    this.#awake = undefined
    this.clock.thaw()
    this.view.thaw()
  }

  /** The process is gone at once, with all its connections. */
  kill(): void {
    if (this.#isDead) return
    this.#isDead = true
    this.clock.kill()
    this.view.kill()
    this.parts.close()
    this.#ended.reject(new Disconnected())
  }
}
