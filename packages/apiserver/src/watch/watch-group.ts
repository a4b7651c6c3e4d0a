// Watches of one resource that want the same bytes. What was committed together is encoded once and reaches each
// of them as one buffer.

import type { CachedChange } from '../cache/change-ring.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { ObjectFilter } from '../registry/object-filter.ts'
import type { Watch } from './watch.ts'
import { type EventEncoder, eventFor } from './watch-event.ts'

export class WatchGroup {
  readonly #filter: ObjectFilter
  readonly #encoder: EventEncoder
  readonly #members = new Set<Watch>()
  readonly #unsubscribe: () => void
  readonly #onEmpty: () => void

  constructor(resource: ResourceCache, filter: ObjectFilter, encoder: EventEncoder, onEmpty: () => void) {
    this.#filter = filter
    this.#encoder = encoder
    this.#onEmpty = onEmpty
    this.#unsubscribe = resource.subscribe((changes) => this.#hear(changes))
  }

  join(watch: Watch): () => void {
    this.#members.add(watch)
    return () => {
      if (!this.#members.delete(watch) || this.#members.size > 0) return
      this.#unsubscribe()
      this.#onEmpty()
    }
  }

  /** Must not throw into the feed: what one form cannot show ends the watches of that form, and nothing else. */
  #hear(changes: readonly CachedChange[]): void {
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

export function encodeChanges(
  changes: readonly CachedChange[],
  filter: ObjectFilter,
  encoder: EventEncoder,
  first: boolean,
): { lines: Buffer; count: number } {
  const lines: Buffer[] = []
  for (const change of changes) {
    const event = eventFor(change, filter)
    if (event) lines.push(encoder.encode(event.type, event.object, change.revision, first && lines.length === 0))
  }
  const [only] = lines
  return { lines: lines.length === 1 && only ? only : Buffer.concat(lines), count: lines.length }
}

const EMPTY = Buffer.alloc(0)
