// What is committed, as a reader of the store beside all servers sees it: directly at the members, never through links that faults
// cut. A restored snapshot ends an era of it. The checkers take it for the truth, so its end is compared with etcd itself.

import type { Change, Store } from '@homeostat/store'
import { openEtcdStore } from '@homeostat/store/etcd'
import type { EtcdCluster } from '@homeostat/store/testing/etcd/etcd-cluster'

const PREFIX = '/homeostat/object/'
const AGAIN_MS = 50
const OPEN_TRIES = 20
/** As etcd-snapshot.ts restores. */
const BUMP = 1e9

export class Truth {
  readonly #cluster: EtcdCluster
  readonly #changes: Change[] = []
  readonly #ending = new AbortController()
  #store: Store | undefined
  #following: Promise<void> = Promise.resolve()
  #waiters: (() => void)[] = []
  #after = 0

  constructor(cluster: EtcdCluster) {
    this.#cluster = cluster
  }

  /** In the order of revisions. */
  get changes(): readonly Change[] {
    return this.#changes
  }

  /** Before any server writes. */
  async start(): Promise<void> {
    this.#store = await this.#openInTime()
    this.#after = await (await this.#running()).revision()
    this.#following = this.#follow(this.#store)
  }

  /** Resolves when everything that is committed now has been seen. */
  async catchUp(): Promise<void> {
    const newest = await (await this.#running()).revision()
    while ((this.#changes.at(-1)?.revision ?? 0) < newest)
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  /** Restores a snapshot and goes on after the numbers that etcd leaves out then. Resolves to the last revision of what is lost. */
  async endEra(snapshot: number, restore: () => Promise<void>): Promise<number> {
    await restore()
    const until = Math.max(snapshot, this.#after)
    this.#after = snapshot + BUMP
    return until
  }

  /** Forgets all that has been seen, but for the newest changes. */
  async compact(): Promise<void> {
    const { revision } = this.#changes.at(-3) ?? { revision: 0 }
    if (revision > 0) await (await this.#running()).compact(revision)
  }

  /** The keys of etcd and the revisions at which they were written, by a way that shares nothing with the store. */
  async stored(): Promise<Map<string, number>> {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const end = `${PREFIX.slice(0, -1)}0`
    const range = { key: base64(PREFIX), range_end: base64(end), keys_only: true }
    const { kvs = [] } = await this.#cluster.call('/v3/kv/range', range)
    const entries = (kvs as { key: string; mod_revision: string }[]).map(
      ({ key, mod_revision }) =>
        [Buffer.from(key, 'base64').toString().slice(PREFIX.length), Number(mod_revision)] as const,
    )
    return new Map(entries)
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#store?.close()
    await this.#following
  }

  /** On a busy machine members that have just started answer late. */
  async #openInTime(): Promise<Store> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#open()
      } catch (error) {
        if (tries === OPEN_TRIES) throw error
      }
    }
  }

  #open(): Promise<Store> {
    return openEtcdStore({
      endpoints: this.#cluster.endpoints,
      requestTimeoutMs: 2000,
      // Nobody compacts but who is asked to.
      compactEveryMs: 3_600_000,
    })
  }

  async #running(): Promise<Store> {
    while (this.#store === undefined || !(await this.#answers(this.#store)))
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    return this.#store
  }

  async #answers(store: Store): Promise<boolean> {
    return store.revision().then(
      () => true,
      () => false,
    )
  }

  /** From one store to the next, since a restored snapshot ends the first. */
  async #follow(first: Store): Promise<void> {
    let store = first
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        for await (const changes of store.changes(this.#after, signal)) {
          this.#changes.push(...changes)
          this.#after = changes.at(-1)?.revision ?? this.#after
          for (const wake of this.#waiters.splice(0)) wake()
        }
      } catch {
        // The era is over, or no member answers.
      }
      if (signal.aborted) return
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      const next = await this.#open().catch(() => undefined)
      if (next === undefined) continue
      this.#store = next
      await store.close()
      store = next
    }
  }
}
