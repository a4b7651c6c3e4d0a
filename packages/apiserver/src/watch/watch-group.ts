// Watches of one resource that want the same bytes. A committed batch is encoded once and sent to all of them as one buffer.

import type { CachedChange } from '../cache/change-ring.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { ObjectFilter } from '../registry/object-filter.ts'
import { type EventEncoder, encodeChanges, readObjects } from './watch-event.ts'

/** A watch, as its group sees it. */
export interface GroupMember {
  /** Whether an event has been sent. */
  readonly begun: boolean
  /** Everything up to here has been sent. */
  readonly revision: number
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
  /** Batches that wait for what their encoder needs, one after the other. */
  #waiting: Promise<void> | undefined
  #behind = 0

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
    const { hold } = this.#encoder
    if (hold !== undefined) {
      this.#behind++
      this.#waiting = (this.#waiting ?? Promise.resolve()).then(() => this.#deliverHeld(changes, hold))
      return
    }
    try {
      this.#deliver(changes)
    } catch (error) {
      for (const watch of [...this.#members]) watch.fail(error)
    }
  }

  /** Only the watches of this group wait for a conversion, and only they end when it fails. */
  async #deliverHeld(changes: readonly CachedChange[], hold: NonNullable<EventEncoder['hold']>): Promise<void> {
    try {
      if (this.#members.size === 0) return
      const held = await hold(readObjects(changes, this.#filter))
      try {
        this.#deliver(changes)
      } finally {
        held.release()
      }
    } catch (error) {
      for (const watch of [...this.#members]) watch.fail(error)
    } finally {
      this.#behind--
    }
  }

  /** Whether changes wait that its watches have not been sent. */
  get isBehind(): boolean {
    return this.#behind > 0
  }

  #deliver(changes: readonly CachedChange[]): void {
    const last = changes.at(-1)?.revision ?? 0
    let shared: Buffer | undefined
    let opening: Buffer | undefined
    let count: number | undefined
    for (const watch of this.#members) {
      // It joined while the batch waited, and has sent these changes itself.
      if (watch.revision >= last) continue
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
