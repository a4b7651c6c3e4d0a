// The snapshots that paged lists continue from. A snapshot keeps replaced objects in memory, so there are few of them and
// they expire soon; a later page is read from the store's history, as far as that is kept.

import type { Clock } from '@homeostat/base'
import type { TreeSnapshot } from './object-tree.ts'

const MAX_SNAPSHOTS = 64
export const SNAPSHOT_MS = 5 * 60_000

interface KeptSnapshot {
  readonly tree: TreeSnapshot
  readonly until: number
}

export class PageSnapshots {
  readonly #clock: Clock
  /** By resource and revision, oldest first. */
  readonly #kept = new Map<string, KeptSnapshot>()
  #cancel: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#kept.size
  }

  /** Keeps a snapshot for later pages, which find it by its revision. */
  keep(storage: string, revision: number, tree: TreeSnapshot): void {
    const key = keyOf(storage, revision)
    if (this.#kept.has(key)) return
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MAX_SNAPSHOTS && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(key, { tree, until: this.#clock.now() + SNAPSHOT_MS })
    this.#cancel ??= this.#clock.setTimer(SNAPSHOT_MS, () => this.#expire())
  }

  at(storage: string, revision: number): TreeSnapshot | undefined {
    return this.#kept.get(keyOf(storage, revision))?.tree
  }

  forget(storage: string, revision: number): void {
    this.#kept.delete(keyOf(storage, revision))
  }

  /** Safe to call twice. */
  close(): void {
    this.#kept.clear()
    this.#cancel?.()
    this.#cancel = undefined
  }

  #expire(): void {
    this.#cancel = undefined
    const now = this.#clock.now()
    for (const [key, { until }] of this.#kept) {
      if (until > now) {
        this.#cancel = this.#clock.setTimer(until - now, () => this.#expire())
        return
      }
      this.#kept.delete(key)
    }
  }
}

function keyOf(storage: string, revision: number): string {
  return `${storage} ${revision}`
}
