// Waits for the first object of some resources, so that code which serves them loads only when there is one.

import type { CachedObject } from '../cache/cached-object.ts'
import type { ApiFollows, ApiReads, ResourceName } from './api.ts'

/** The object to wait for: any of the resource, or only one whose bytes contain this text. */
export interface Wake extends ResourceName {
  readonly holding?: string
}

/** Resolves when there is such an object (at once if there is one already) or when the signal aborts. */
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
