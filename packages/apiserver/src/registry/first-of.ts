// Waits for the first object of some resources. What serves them need not be loaded before there is one.

import type { CachedObject } from '../cache/cached-object.ts'
import type { ApiFollows, ApiReads, ResourceName } from './api.ts'

/** An object worth waking up for: any of the resource, or only one that holds this text. */
export interface Wake extends ResourceName {
  readonly holding?: string
}

/** Resolves at once when there is one already; also when the signal ends the wait. */
export function firstOf(api: ApiReads & ApiFollows, wakes: readonly Wake[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stops = wakes.map((wake) => api.follow(wake, ({ object }) => object && isWorth(wake, object) && finish()))
    function finish() {
      for (const stop of stops) stop()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish)
    if (signal.aborted || wakes.some((wake) => isThere(api, wake))) finish()
  })
}

function isThere(api: ApiReads, wake: Wake): boolean {
  if (wake.holding === undefined) return api.count(wake) > 0
  for (const object of api.objects(wake)) if (isWorth(wake, object)) return true
  return false
}

function isWorth({ holding }: Wake, object: CachedObject): boolean {
  return holding === undefined || object.bytes.includes(holding)
}
