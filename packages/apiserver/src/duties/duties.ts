// What one server does at a time: the controllers, each add-on, each shard of the queue. Whoever runs such work calls `lead`;
// whoever answers for it asks for its `leader`. On a store that is not shared this file is all there is.

import type { Held } from '../identity/held.ts'

/** A server, as the others know it. */
export interface Member {
  readonly id: string
  /** The URL under which the others reach it; empty for none. */
  readonly address: string
}

export interface Duties {
  /** Whether there may be other servers. */
  readonly isShared: boolean
  /**
   * Calls the work whenever this server has the duty: once on a store that is not shared, otherwise again after each loss. Work ends
   * with the signal of what it holds, and must not reject. Resolves when `ending` has aborted and the last work has ended.
   */
  lead(duty: string, work: (held: Held) => Promise<void>, ending: AbortSignal): Promise<void>
  /** Who has the duty; undefined while nobody has. */
  leader(duty: string): Member | 'here' | undefined
  /** Every server that is there, this one included. */
  members(): readonly Member[]
  /** Resolves when a leader or a member may have changed, or the signal aborts. */
  changed(signal: AbortSignal): Promise<void>
  /** From now on the others reach this server there. */
  reachedAt(address: string): void
  /** Hands all duties over and takes no more. The server still answers. */
  drain(): void
  /** Resolves when all duties are handed over and the others know that this server has left. */
  close(): Promise<void>
}

/** Of a server that is alone on its store: it has every duty, without a Lease. */
export const ALONE: Duties = {
  isShared: false,
  lead: (_, work, ending) => work({ fence: undefined, signal: ending, lost() {} }),
  leader: () => 'here',
  members: () => [],
  changed: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  reachedAt() {},
  drain() {},
  async close() {},
}
