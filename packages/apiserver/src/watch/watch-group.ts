// Watches of one resource that want the same bytes. A committed batch is encoded once and sent to all of them as one buffer.

import type { CachedChange } from '../cache/change-ring.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { ObjectFilter } from '../registry/object-filter.ts'
import { type EventEncoder, encodeChanges } from './watch-event.ts'

/** A watch, as its group sees it. */
export interface GroupMember {
  /** Whether an event has been sent. */
  readonly begun: boolean
  frame(lines: Buffer): Buffer
  /** Sends lines that are not framed yet; they are `count` events up to the revision. */
  deliver(lines: Buffer, count: number, revision: number): void
  deliverFramed(framed: Buffer, count: number, revision: number): void
  fail(error: unknown): void
}

export class WatchGroup {
  readonly #filter: ObjectFilter
  readonly #encoder: EventEncoder
  readonly #members = new Set<GroupMember>()
  readonly #unsubscribe: () => void
  readonly #onEmpty: () => void

  constructor(resource: ResourceCache, filter: ObjectFilter, encoder: EventEncoder, onEmpty: () => void) {
    this.#filter = filter
    this.#encoder = encoder
    this.#onEmpty = onEmpty
    this.#unsubscribe = resource.subscribe((changes) => this.#onChanges(changes))
  }

  join(watch: GroupMember): () => void {
    this.#members.add(watch)
    return () => {
      if (!this.#members.delete(watch) || this.#members.size > 0) return
      this.#unsubscribe()
      this.#onEmpty()
    }
  }

  /** Must not throw into the change stream: an object that cannot be encoded ends only the watches of this group. */
  #onChanges(changes: readonly CachedChange[]): void {
    try {
      this.#deliver(changes)
    } catch (error) {
      for (const watch of [...this.#members]) watch.fail(error)
    }
  }

  #deliver(changes: readonly CachedChange[]): void {
    const last = changes.at(-1)?.revision ?? 0
    let shared: Buffer | undefined
    let opening: Buffer | undefined
    let count: number | undefined
    for (const watch of this.#members) {
      if (this.#encoder.firstDiffers && !watch.begun) {
        opening ??= encodeChanges(changes, this.#filter, this.#encoder, true).lines
        watch.deliver(opening, opening.length > 0 ? 1 : 0, last)
        continue
      }
      if (shared === undefined) {
        const encoded = encodeChanges(changes, this.#filter, this.#encoder, false)
        count = encoded.count
        shared = encoded.count > 0 ? watch.frame(encoded.lines) : EMPTY
      }
      watch.deliverFramed(shared, count ?? 0, last)
    }
  }
}

const EMPTY = Buffer.alloc(0)
