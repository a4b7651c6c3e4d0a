// The controllers that nobody has to wait for at a start. Loaded when the server already answers.

import { systemClock } from '@homeostat/base'
import { AggregationController } from './aggregation-controller.ts'
import { ApiServiceController } from './api-service-controller.ts'
import { keepRoles } from './bootstrap.ts'
import type { ControllersOptions } from './controllers.ts'
import { EventExpiry } from './event-expiry.ts'
import { GarbageCollector } from './garbage-collector.ts'
import { NamespaceDefaultsController } from './namespace-defaults-controller.ts'
import { ensureServiceRange } from './service-range.ts'
import { StorageProtection } from './storage-protection.ts'

type LaterOptions = Pick<ControllersOptions, 'api' | 'types' | 'log' | 'clock' | 'caBundle' | 'eventTtlMs'>

/** Resolves when the signal has ended them. */
export async function startLater(options: LaterOptions, signal: AbortSignal): Promise<void> {
  const { api, types, log, clock, caBundle, eventTtlMs } = options
  const shared = { api, types, log, ...(clock === undefined ? {} : { clock }) }
  await Promise.all([
    keepRoles(api, log),
    ensureServiceRange(api, clock ?? systemClock).catch((error: unknown) => {
      log.error({ err: error }, 'the range of service addresses cannot be shown')
    }),
    new GarbageCollector(shared).start(signal),
    new NamespaceDefaultsController({ ...shared, caBundle }).start(signal),
    new AggregationController(shared).start(signal),
    new EventExpiry({ ...shared, ttlMs: eventTtlMs }).start(signal),
    new ApiServiceController(shared).start(signal),
    new StorageProtection(shared).start(signal),
  ])
}
