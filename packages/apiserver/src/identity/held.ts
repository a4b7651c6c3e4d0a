// What the writes of a leader stand on. duties/ makes it; the Apis and connections of a duty carry it into every write, and the
// commit is its only reader.

import type { Fence } from '@homeostat/store'

export interface Held {
  /** The Lease that must not have moved for a write to commit; undefined on a store that is not shared. */
  readonly fence: Fence | undefined
  /** Aborts when the duty is lost, is to be handed over, or the server ends. */
  readonly signal: AbortSignal
  /** A write was refused, because the Lease has moved. */
  lost(): void
}
