// Waits for the first object of some resources. What serves them need not be loaded before there is one.

import type { Api, ResourceName } from './api.ts'

/** Resolves at once when there is one already; also when the signal ends the wait. */
export function firstOf(api: Api, resources: readonly ResourceName[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stops = resources.map((resource) => api.follow(resource, ({ object }) => object && finish()))
    function finish() {
      for (const stop of stops) stop()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish)
    if (signal.aborted || resources.some((resource) => api.count(resource) > 0)) finish()
  })
}
