// Why a server does not start on a store, in a line for a person.

import { hasBrand } from '@homeostat/base'
import { INCOMPLETE } from '@homeostat/store'
import type { WatchCache } from '../cache/watch-cache.ts'

const REFUSAL = Symbol.for('homeostat.apiserver.start-refusal')

export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
  readonly [REFUSAL] = true
}

export function isStartRefusal(error: unknown): error is StartRefusal {
  return hasBrand(error, REFUSAL)
}

/** Throws when the store holds a part of what a migration copies into it. */
export function refuseIncomplete(cache: WatchCache): void {
  for (const { storage, tree } of cache.resources) {
    if (storage === INCOMPLETE.storage && tree.size > 0)
      throw new StartRefusal('a migration into this store has not ended; run the same `homeostat migrate` again')
  }
}
