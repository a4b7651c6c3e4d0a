// Runs the comparison of cache and store on a shared store. A cache that differs has answered wrongly, and its watchers lack
// changes; so the server ends, and its next start reads everything anew.

import type { Clock, Log } from '@homeostat/base'
import type { Store } from '@homeostat/store'
import type { WatchCache } from '../cache/watch-cache.ts'
import type { ServerMetrics } from '../ops/server-metrics.ts'

export interface CheckCacheParts {
  readonly store: Store
  readonly cache: WatchCache
  readonly clock: Clock
  readonly logger: Log
  readonly metrics: ServerMetrics
  readonly signal: AbortSignal
}

/** Resolves when the cache differs; otherwise never. */
export async function checkCache({ store, cache, clock, logger, metrics, signal }: CheckCacheParts): Promise<void> {
  // Loaded only here: a store of one server needs none of it.
  const { ConsistencyCheck } = await import('../cache/consistency-check.ts')
  const failed = (reason: string) => logger.warn({ reason }, 'the cache could not be compared with the store')
  const check = new ConsistencyCheck({ store, cache, clock, failed })
  for (const metric of check.metrics) metrics.add(metric)
  const difference = await check.run(signal)
  if (difference === undefined) return new Promise(() => {})
  cache.fail(new Error(`the cache differs from the store: ${difference}`))
  logger.error(
    { difference },
    'the cache differs from the store; the server ends, and reads all anew at its next start',
  )
}
