// The last changes of one resource, so that a watch can resume without reading the store.
// Bounded by count and bytes; older changes are read from the store's history.

import type { Note } from '@homeostat/store'
import type { CachedObject } from './cached-object.ts'

/** A committed change as watchers see it. Without `object` it is a deletion. */
export interface CachedChange {
  readonly revision: number
  readonly note: Note
  readonly object: CachedObject | undefined
  readonly previous: CachedObject | undefined
}

export class ChangeRing {
  readonly #maxCount: number
  readonly #maxBytes: number
  #changes: CachedChange[] = []
  #head = 0
  #bytes = 0
  #since: number

  /** The ring will hold every change above `since`. */
  constructor(since: number, maxCount = 4096, maxBytes = 4 << 20) {
    this.#since = since
    this.#maxCount = maxCount
    this.#maxBytes = maxBytes
  }

  /** Every change above this revision is in the ring. */
  get since(): number {
    return this.#since
  }

  push(change: CachedChange): void {
    this.#changes.push(change)
    this.#bytes += sizeOf(change)
    while (this.#changes.length - this.#head > this.#maxCount || this.#bytes > this.#maxBytes) this.#shift()
  }

  /** Changes above the revision, oldest first. The revision must not be below `since`. */
  after(revision: number): readonly CachedChange[] {
    let low = this.#head
    let high = this.#changes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#changes[middle] as CachedChange).revision <= revision) low = middle + 1
      else high = middle
    }
    return this.#changes.slice(low)
  }

  #shift(): void {
    const first = this.#changes[this.#head++] as CachedChange
    this.#since = first.revision
    this.#bytes -= sizeOf(first)
    if (this.#head * 2 < this.#changes.length) return
    this.#changes = this.#changes.slice(this.#head)
    this.#head = 0
  }
}

/** The ring keeps both objects alive; the constant covers the change itself. */
function sizeOf(change: CachedChange): number {
  return 256 + (change.object?.size ?? 0) + (change.previous?.size ?? 0)
}
