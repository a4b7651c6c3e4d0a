// The bench's side of the load generator: starts its process and gives it commands.

import { type ChildProcess, fork } from 'node:child_process'
import type { Command, Http2WatchPlan, LoadResult, PullPlan, Reply, RequestPlan, WatchPlan } from './protocol.ts'

export class LoadGenerator {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, { resolve(result: LoadResult | undefined): void; reject(error: Error): void }>()
  #next = 0

  constructor() {
    this.#child = fork(new URL('./process.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.on('message', (reply: Reply) => this.#settle(reply))
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the load generator ended'))
    })
  }

  async open(plan: RequestPlan): Promise<void> {
    await this.#ask({ do: 'open', plan })
  }

  async watch(plan: WatchPlan): Promise<void> {
    await this.#ask({ do: 'watch', plan })
  }

  async watchHttp2(plan: Http2WatchPlan): Promise<void> {
    await this.#ask({ do: 'watchHttp2', plan })
  }

  async executors(plan: PullPlan): Promise<void> {
    await this.#ask({ do: 'executors', plan })
  }

  run(times = 1, watched = false): Promise<LoadResult> {
    return this.#measure({ do: 'run', times, watched })
  }

  pull(count: number): Promise<LoadResult> {
    return this.#measure({ do: 'pull', count })
  }

  wake(times: number): Promise<LoadResult> {
    return this.#measure({ do: 'wake', times })
  }

  async close(): Promise<void> {
    await this.#ask({ do: 'close' })
  }

  /** Everything in one: for work that is not measured. */
  async runAll(plan: RequestPlan): Promise<LoadResult> {
    await this.open(plan)
    const result = await this.run()
    await this.close()
    return result
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  async #measure(command: Command): Promise<LoadResult> {
    const result = await this.#ask(command)
    if (result === undefined) throw new Error('the load generator measured nothing')
    return result
  }

  #ask(command: Command): Promise<LoadResult | undefined> {
    const id = this.#next++
    const { promise, resolve, reject } = Promise.withResolvers<LoadResult | undefined>()
    this.#waiting.set(id, { resolve, reject })
    this.#child.send({ id, command })
    return promise
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('error' in reply) waiting?.reject(new Error(reply.error))
    else waiting?.resolve(reply.result)
  }
}
