// What happens to the servers of the model, drawn from the seed: they are cut off, stand still, are killed and come back, their
// streams stall, their clocks are stepped, the store is compacted behind them.

import type { Random } from '../crash/random.ts'
import type { Cluster } from './cluster.ts'
import { ModelServer } from './model-server.ts'
import type { Mistake } from './planted.ts'

const LONGEST_MS = 8000

export interface MachinesOptions {
  onStart?(server: ModelServer): void
  /** Whether clocks are stepped. Default true. */
  readonly steps?: boolean
  /** Of every server. Default: none. */
  readonly mistake?: Mistake | undefined
}

export class Machines {
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #servers = new Map<string, ModelServer>()
  readonly #starting = new Map<string, Promise<void>>()
  /** Called with every server that comes up. */
  onStart: (server: ModelServer) => void
  readonly #steps: boolean
  readonly #mistake: Mistake | undefined
  #started = 0

  constructor(cluster: Cluster, { onStart = () => {}, steps = true, mistake }: MachinesOptions = {}) {
    this.#cluster = cluster
    this.#random = cluster.network.random
    this.onStart = onStart
    this.#steps = steps
    this.#mistake = mistake
  }

  /** Those that run, though they may stand still or be cut off. */
  get running(): readonly ModelServer[] {
    return [...this.#servers.values()].filter(({ isDead }) => !isDead)
  }

  /** One of those that run, or of those that did: then the client's connection is refused. */
  any(): ModelServer {
    const servers = this.running.length > 0 ? this.running : [...this.#servers.values()]
    return this.#random.pick(servers as [ModelServer])
  }

  async start(name: string): Promise<void> {
    for (;;) {
      try {
        const server = await ModelServer.start(this.#cluster, name, `${name}${++this.#started}`, this.#mistake)
        this.#servers.set(name, server)
        // It ends by itself when what its cache needs has been compacted.
        server.parts.followed.catch(() => this.#cluster.network.schedule.after(500, () => this.#restart(name)))
        this.onStart(server)
        return
      } catch {
        // The store did not answer.
        await this.#cluster.network.schedule.pause(500)
      }
    }
  }

  /** One after the other, some of them overlapping; resolves when all are over. */
  async trouble(count: number): Promise<void> {
    const { schedule } = this.#cluster.network
    const open: Promise<void>[] = []
    for (let i = 0; i < count; i++) {
      await schedule.pause(this.#random.between(0, 3000))
      open.push(this.#happen())
    }
    await Promise.all(open)
  }

  /** Everything runs and is whole again. */
  async heal(): Promise<void> {
    for (const server of this.running) {
      server.view.heal()
      server.view.flow()
      server.thaw()
    }
    for (const name of this.#servers.keys()) this.#restart(name)
    await Promise.all(this.#starting.values())
  }

  close(): void {
    for (const server of this.#servers.values()) server.kill()
  }

  #happen(): Promise<void> {
    const server = this.any()
    const { view, clock } = server
    switch (this.#random.between(0, 6)) {
      case 0:
        return this.#while(
          () => view.cut(),
          () => view.heal(),
        )
      case 1:
        return this.#while(
          () => server.freeze(),
          () => server.thaw(),
        )
      case 2:
        return this.#while(
          () => view.stall(),
          () => view.flow(),
        )
      case 3:
        return this.#while(
          () => server.kill(),
          () => this.#restart(server.name),
        )
      case 4:
        if (this.#steps) clock.step(this.#random.between(-600_000, 600_000))
        return Promise.resolve()
      default:
        return this.#compact()
    }
  }

  async #while(begin: () => void, end: () => void): Promise<void> {
    begin()
    await this.#cluster.network.schedule.pause(this.#random.between(1, LONGEST_MS))
    end()
  }

  #restart(name: string): void {
    if (this.#servers.get(name)?.isDead !== true || this.#starting.has(name)) return
    this.#starting.set(
      name,
      this.start(name).finally(() => this.#starting.delete(name)),
    )
  }

  /** To a revision within the last changes, so that whoever lags behind has to begin anew. */
  async #compact(): Promise<void> {
    const { truth } = this.#cluster.network
    const newest = await truth.revision()
    const horizon = await truth.horizon()
    await truth.compact(Math.max(horizon, newest - this.#random.between(0, 40)))
  }
}
