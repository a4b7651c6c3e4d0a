// Why a server does not start on a store, in a line for a person.

import { INCOMPLETE } from '@homeostat/store'
import type { WatchCache } from '../cache/watch-cache.ts'

/** Recognised by its name, since the command does not load this package for it. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}

/** Throws when the store holds a part of what a migration copies into it. */
export function refuseIncomplete(cache: WatchCache): void {
  for (const { storage, tree } of cache.resources) {
    if (storage === INCOMPLETE.storage && tree.size > 0)
      throw new StartRefusal('a migration into this store has not ended; run the same `homeostat migrate` again')
  }
}
