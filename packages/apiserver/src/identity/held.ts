// What the writes of a leader stand on. duties/ makes it; the Apis and connections of a duty carry it into every write, and the
// commit is its only reader.

import type { Fence } from '@homeostat/store'

/** One term: it ended when the next one began. */
export interface FormerLeader {
  /** As servers reach each other; its id where it has no address. */
  readonly address: string
  /** When its term began, by its own clock, in ms. */
  readonly since: number
  /** When another server took over. */
  readonly until: number
}

export interface Held {
  /** The Lease that must not have moved for a write to commit; undefined on a store that is not shared. */
  readonly fence: Fence | undefined
  /** Aborts when the duty is lost, is to be handed over, or the server ends. */
  readonly signal: AbortSignal
  /** Who led before, at other addresses, as far as it is kept; the latest last. Undefined on a store that is not shared. */
  readonly former?: readonly FormerLeader[]
  /** A write was refused, because the Lease has moved. */
  lost(): void
}
