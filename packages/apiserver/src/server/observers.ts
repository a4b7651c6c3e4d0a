// What the server tells about itself: health checks, watches in metrics, failed requests in the log.

import type { Log } from '@homeostat/base'
import type { Store } from '@homeostat/store'
import type { WatchCache } from '../cache/watch-cache.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { type HealthCheck, pingCheck } from '../ops/health.ts'
import type { ServerMetrics } from '../ops/server-metrics.ts'
import type { WatchHub } from '../watch/watch-hub.ts'

export function watchObserver(metrics: ServerMetrics, logger: Log) {
  return {
    opened: (watch) => metrics.watches.of(watch.type).open.add(1),
    events: (watch, count) => metrics.watches.of(watch.type).events.add(count),
    ended: (watch, reason) => {
      metrics.watches.of(watch.type).open.add(-1)
      metrics.watches.terminated(reason)
      if (reason === 'slow')
        logger.warn({ resource: watch.type.resource }, 'a watcher reads too slowly and was ended; it can resume')
    },
  } satisfies ConstructorParameters<typeof WatchHub>[1]
}

export function healthChecks(
  store: Store,
  cache: WatchCache,
  isDraining: () => boolean,
): Record<'healthz' | 'livez' | 'readyz', readonly HealthCheck[]> {
  const written: HealthCheck = {
    name: 'store',
    check: () => {
      const { writable, reason } = store.health()
      return writable ? undefined : (reason ?? 'writes fail')
    },
  }
  const records: HealthCheck = { name: 'records', advisory: true, check: () => store.health().damage }
  const capacity: HealthCheck = { name: 'capacity', advisory: true, check: () => store.health().warning }
  const followed: HealthCheck = { name: 'cache', check: () => cache.failure?.message }
  const current: HealthCheck = { name: 'cache', check: () => (cache.failure ?? cache.trouble)?.message }
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check: () => (isDraining() ? 'the server is about to end' : undefined),
  }
  return {
    healthz: [pingCheck, followed],
    livez: [pingCheck, followed],
    readyz: [pingCheck, written, capacity, records, current, shutdown],
  }
}

export function logFailure(logger: Log, exchange: Exchange): void {
  const { request, failure } = exchange
  logger.error(
    { method: request.method, url: request.message.url, code: failure?.code, err: failure?.cause ?? failure?.message },
    'a request failed',
  )
}
