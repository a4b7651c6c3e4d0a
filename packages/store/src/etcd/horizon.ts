// How far back the store can be asked: what its servers have agreed on in `meta/horizon`, and what etcd has forgotten beyond that, as
// after a compaction by hand or by another program on the same etcd. The store owns one, and its parts share it.

import { isEtcdError } from './client/etcd-error.ts'
import { scan } from './scan.ts'
import type { Session } from './session.ts'
import { type HorizonState, readHorizon } from './store-meta.ts'

export class Horizon {
  readonly #session: Session
  #state: HorizonState
  /** etcd's own limit, as far as a read has met it. */
  #forgotten = 0
  #asking: Promise<void> | undefined

  constructor(session: Session, state: HorizonState) {
    this.#session = session
    this.#state = state
  }

  /** What the servers have agreed on. */
  get state(): HorizonState {
    return this.#state
  }

  /** The oldest of etcd's revisions that can be read, as far as is known. */
  get oldest(): number {
    return Math.max(this.#state.horizon, this.#forgotten)
  }

  /** It was read or written, perhaps before the watch shows it. */
  learn(state: HorizonState): void {
    if (state.modRevision > this.#state.modRevision) this.#state = state
  }

  /** A read was told that what it asked for is compacted: finds out what is kept. All who ask at a time share the answer. */
  ask(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<void> {
    const { client, layout, since } = this.#session
    const [state, forgotten] = await Promise.all([readHorizon(client, layout, since), this.#askEtcd()])
    this.learn(state)
    this.#forgotten = Math.max(this.#forgotten, forgotten)
  }

  /** Only a watch that starts too early is told from where on it might. */
  async #askEtcd(): Promise<number> {
    const { client, layout, settings, signal } = this.#session
    const name = layout.meta('store')
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(settings.requestTimeoutMs)])
    try {
      await scan(client, { range: { key: name, end: `${name}\0` }, from: 1, upto: 1, signal: inTime }, () => false)
    } catch (error) {
      if (isEtcdError(error, 'compacted')) return error.compactRevision ?? 0
    }
    return 0
  }
}
