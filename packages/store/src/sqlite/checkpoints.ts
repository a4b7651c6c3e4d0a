// Counts the pages that are in the WAL and not yet in the data file, for the checkpoint plan. The writer thread reports
// commits and checkpoints. SQLite counts the pages of a WAL only at a checkpoint; in between they are estimated.

import { type CheckpointStep, checkpointLimits, planCheckpoint, type WalState } from './checkpoint-plan.ts'
import type { WalSize } from './database.ts'

const RETRY_MS = 1000
const PAGE_BYTES = 4096

const EMPTY: WalState = { pages: 0, unmoved: 0, lastWriteAt: 0, oldestAt: 0, moving: false, notBefore: 0 }

export class Checkpoints {
  readonly #limits
  readonly #now: () => number
  #wal = EMPTY
  /** Pages written since the reader's thread was asked to checkpoint. */
  #sinceMove = 0
  /** What was moved of a WAL of which length, after the last try. */
  #last: WalSize = { pages: 0, moved: 0 }

  constructor(stepPages: number, now: () => number) {
    this.#limits = checkpointLimits(stepPages)
    this.#now = now
  }

  next(): CheckpointStep {
    const step = planCheckpoint(this.#limits, this.#wal, this.#now())
    if (step.do === 'move') {
      this.#wal = { ...this.#wal, moving: true }
      this.#sinceMove = 0
    }
    return step
  }

  wrote(pages: number): void {
    if (pages === 0) return
    const now = this.#now()
    const oldestAt = this.#wal.unmoved === 0 ? now : this.#wal.oldestAt
    this.#sinceMove += pages
    const total = { pages: this.#wal.pages + pages, unmoved: this.#wal.unmoved + pages }
    this.#wal = { ...this.#wal, ...total, lastWriteAt: now, oldestAt }
  }

  /** The WAL was there when the store was opened: its last user was killed. */
  found(bytes: number): void {
    this.wrote(Math.ceil(bytes / PAGE_BYTES))
  }

  /** The reader's thread finished its checkpoint, or failed (no size). */
  moved(size: WalSize | undefined): void {
    this.#take(size, this.#sinceMove)
  }

  /** The writer's thread finished its checkpoint, or failed (no size). It wrote nothing meanwhile. */
  finished(size: WalSize | undefined): void {
    this.#take(size, 0)
  }

  /** The WAL is empty. */
  reset(): void {
    this.#wal = EMPTY
    this.#last = { pages: 0, moved: 0 }
  }

  #take(size: WalSize | undefined, since: number): void {
    const now = this.#now()
    if (size === undefined || (size.moved < size.pages && isSame(size, this.#last))) {
      this.#wal = { ...this.#wal, moving: false, notBefore: now + RETRY_MS }
      return
    }
    this.#last = size
    const unmoved = size.pages - size.moved + since
    // With everything moved, the next commit begins the WAL anew.
    const pages = unmoved === 0 ? 0 : size.pages + since
    this.#wal = { ...this.#wal, pages, unmoved, oldestAt: now, moving: false, notBefore: 0 }
  }
}

/** The pages that a batch of records changes: of the table as many as the bytes fill, of the index up to one each. */
export function pagesOf(records: number, bytes: number): number {
  return 2 + Math.ceil(bytes / PAGE_BYTES) + Math.ceil(records / 2)
}

function isSame(a: WalSize, b: WalSize): boolean {
  return a.pages === b.pages && a.moved === b.moved
}
