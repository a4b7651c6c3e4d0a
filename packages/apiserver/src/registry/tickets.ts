// What is decided by looking at several objects, such as who gets an address or what fits into a quota, is decided by one server at a time:
// the one that has the ticket of that name. Every write that was decided so has the ticket as a fence. Only on a shared store.

import type { Fence } from '@homeostat/store'

export interface Tickets {
  /**
   * Resolves to the fence of the ticket when this server has it. By then the cache shows every write that was decided under it before,
   * by whomever.
   */
  take(name: string): Promise<Fence>
  /** Whether a decision under these fences is still this server's to make. */
  has(fences: readonly Fence[]): boolean
  /**
   * A write under these fences may or may not have been stored, and may still be: no decision is made before the tickets are
   * written once more, after which it is there or never comes.
   */
  doubt(fences: readonly Fence[]): void
}
