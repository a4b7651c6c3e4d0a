// Runs a write of a shared store so that it is refused only for what is true of all servers. A write is decided on the cache, which may
// be behind: whatever refuses it is looked at again once the cache shows every write that was acknowledged before. Only runWrite
// calls it.

import { isStatusError, type StatusError } from '@homeostat/meta'
import { tooManyRequests } from '@homeostat/meta/server'
import type { Freshness } from '../registry/freshness.ts'

/** How often a write is decided anew because its namespace, its definition or who decides has changed. */
const TRIES = 10

/** A write was decided on what has changed since, or on what may have, and has stored nothing: all of it has to be decided again. */
export class DecidedOnOld extends Error {
  override readonly name = 'DecidedOnOld'
}

/** `decide` is told whether the cache showed the newest state when it began: only then may it end without storing anything. */
export async function decideOnNewest<T>(
  freshness: Freshness,
  revision: () => number,
  decide: (isNewest: boolean) => Promise<T>,
): Promise<T> {
  let isNewest = false
  for (let attempt = 1; ; attempt++) {
    const before = revision()
    let refusal: unknown
    try {
      return await decide(isNewest)
    } catch (error) {
      if (!(error instanceof DecidedOnOld) && (isNewest || !isRefusal(error))) throw error
      refusal = error
    }
    if (attempt === TRIES) throw tooManyRequests('what the write depends on is being changed all the time', 1)
    await freshness.newest()
    if (!(refusal instanceof DecidedOnOld) && revision() === before) throw refusal
    isNewest = true
  }
}

/** A refusal that may be another one, or none, on newer state. Not one that asks the client to come again. */
function isRefusal(error: unknown): error is StatusError {
  return isStatusError(error) && error.code >= 400 && error.code < 500 && error.code !== 413 && error.code !== 429
}
