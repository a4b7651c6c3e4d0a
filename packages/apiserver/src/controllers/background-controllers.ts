// Starts the controllers that no request depends on: they begin when the server already listens.

import type { Log } from '@homeostat/base'
import { type Clock, systemClock } from '@homeostat/base'
import type { QuotaLedger } from '../admission/quota/quota-ledger.ts'
import type { Duties } from '../duties/duties.ts'
import type { Api } from '../registry/api.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { advertiseMembers } from './advertise-members.ts'
import { AggregationController } from './aggregation-controller.ts'
import { ApiServiceController } from './api-service-controller.ts'
import { repairRoles } from './bootstrap.ts'
import { EventExpiry } from './event-expiry.ts'
import { GarbageCollector } from './garbage-collector.ts'
import { NamespaceDefaultsController } from './namespace-defaults-controller.ts'
import { PolicyStatusController } from './policy-status-controller.ts'
import { QuotaController } from './quota-controller.ts'
import type { ClusterRoleFact, Named } from './role-facts.ts'
import { ensureServiceRange } from './service-range.ts'
import { StorageProtection } from './storage-protection.ts'

export interface BackgroundOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: Log
  /** Default: the system clock. */
  readonly clock?: Clock
  /** PEM certificates by which clients verify the server. Without any, no namespace gets the ConfigMap. */
  readonly caBundle?: string | undefined
  /** Calls back with each bundle that replaces `caBundle`. */
  newBundles?(use: (caBundle: string) => void): void
  /** The servers whose addresses clients are led to. */
  readonly duties: Duties
  /** What namespaces use. Without it the status of quotas is not kept. */
  readonly quotas?: QuotaLedger | undefined
  /** Roles of the kinds that this server brings. */
  readonly kindRoles?: Named<ClusterRoleFact> | undefined
}

export interface GarbageOptions extends Pick<BackgroundOptions, 'api' | 'types' | 'log' | 'clock'> {
  /** How long an event is kept after its last write. Default: an hour. */
  readonly eventTtlMs?: number | undefined
}

/** What deletes objects that nobody needs. Resolves when the signal has aborted and it has ended. */
export async function startGarbageCollection(
  { eventTtlMs, ...parts }: GarbageOptions,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    new GarbageCollector(parts).start(signal),
    new EventExpiry({ ...parts, ttlMs: eventTtlMs }).start(signal),
  ])
}

/** Resolves when the signal has aborted and all controllers have ended. */
export async function startBackgroundControllers(options: BackgroundOptions, signal: AbortSignal): Promise<void> {
  const { api, types, log, clock, caBundle, kindRoles, quotas, duties } = options
  const shared = { api, types, log, ...(clock === undefined ? {} : { clock }) }
  const defaults = new NamespaceDefaultsController({ ...shared, caBundle })
  options.newBundles?.((bundle) => defaults.publish(bundle))
  await Promise.all([
    repairRoles(api, log, kindRoles),
    ensureServiceRange(api, clock ?? systemClock).catch((error: unknown) => {
      log.error({ err: error }, 'the ServiceCIDR kubernetes could not be created')
    }),
    defaults.start(signal),
    new AggregationController(shared).start(signal),
    new ApiServiceController(shared).start(signal),
    new StorageProtection(shared).start(signal),
    new PolicyStatusController(shared).start(signal),
    duties.isShared && advertiseMembers(api, duties, log, signal),
    quotas && new QuotaController({ ...shared, ledger: quotas }).start(signal),
  ])
}
