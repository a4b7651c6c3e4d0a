// Starts the services beside controllers according to the options: event recorder, leader election, metrics, health,
// traces and fight detector. `run` calls it before it opens the caches, and closes it after all reconciles have ended.

import type { Clock, Log } from '@homeostat/base'
import { type Client, createClient } from '@homeostat/client'
import { type Duration, milliseconds } from '@homeostat/meta'
import { FightWatch } from './fights/fight-watch.ts'
import { type HealthOptions, type HealthServer, serveHealth } from './health/health-server.ts'
import { traceRuns } from './health/trace-runs.ts'
import { Elector } from './leader/elector.ts'
import { processIdentity } from './leader/identity.ts'
import { joinObservers } from './metrics/join-observers.ts'
import { OperatorMetrics } from './metrics/operator-metrics.ts'
import { EventRecorder } from './recorder/recorder.ts'
import type { EventSink, FightDetector, Leadership, Observer } from './runtime/companions.ts'
import type { NamespaceScope } from './runtime/namespace-scope.ts'

export interface LeaderElectionOptions {
  /** Name of the Lease. Default: the operator's name. */
  readonly name?: string
  /** Namespace of the Lease. Default: the first of the operator's `namespaces`, else `default`. */
  readonly namespace?: string
  /** Default 15 s, 10 s and 2 s. */
  readonly lease?: Duration
  readonly renew?: Duration
  readonly retry?: Duration
}

export interface CompanionOptions {
  /** Leader election: one of several replicas acts, the others keep their caches synced. Default: off. */
  readonly leaderElection?: boolean | LeaderElectionOptions
  /** Serves /healthz, /readyz and /metrics. Default: off. */
  readonly health?: HealthOptions
  /** Where events go. Default: the API; false: nowhere. */
  readonly events?: EventSink | false
  /** Replaces `leaderElection`. */
  readonly leadership?: Leadership
  /** Is notified of reconciles and writes, in addition to metrics and traces. */
  readonly observer?: Observer
  /**
   * Detects managers that keep changing what this operator applies. Default: a detector that reports fights; false:
   * none.
   */
  readonly fights?: FightDetector | false
}

interface CompanionSettings {
  readonly client: Client
  readonly fieldManager: string
  readonly scope: NamespaceScope
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Why the operator is not ready yet; undefined when it is. */
  unready(): string | undefined
}

export interface Companions {
  readonly events: EventSink | undefined
  readonly leadership: Leadership | undefined
  readonly observer: Observer | undefined
  readonly fights: FightDetector | undefined
  /** The URL of the health server. */
  readonly health: string | undefined
  /** Call it after all reconciles have ended. Safe to call twice. */
  close(): Promise<void>
}

export async function startCompanions(options: CompanionOptions, settings: CompanionSettings): Promise<Companions> {
  const { fieldManager, clock, log } = settings
  const identity = processIdentity()
  const events =
    options.events ?? new EventRecorder({ ...settings, controller: reporterName(fieldManager), instance: identity })
  let leadership = options.leadership
  const observers: Observer[] = options.observer ? [options.observer] : []
  const tracer = await traceRuns()
  if (tracer) observers.push(tracer)
  let server: HealthServer | undefined
  if (options.health) {
    const metrics = new OperatorMetrics(clock, {
      leading: () => leadership?.leading ?? true,
      synced: () => settings.unready() === undefined,
    })
    observers.push(metrics)
    server = await serveHealth(options.health, { ready: settings.unready, metrics: () => metrics.render() })
    log.info({ url: server.url }, 'serving health and metrics')
  }
  try {
    // Starts last, since it begins to act: nothing may fail after it.
    leadership ??= electorOf(options, settings, identity)
  } catch (error) {
    await server?.close()
    throw error
  }
  return {
    events: events || undefined,
    leadership,
    observer: joinObservers(observers),
    fights: options.fights === false ? undefined : (options.fights ?? new FightWatch({ fieldManager, clock })),
    health: server?.url,
    async close() {
      await leadership?.close()
      if (events) await events.close()
      await server?.close()
    },
  }
}

function electorOf(
  { leaderElection }: CompanionOptions,
  settings: CompanionSettings,
  identity: string,
): Elector | undefined {
  if (!leaderElection) return undefined
  const given = leaderElection === true ? {} : leaderElection
  const {
    name = leaseName(settings.fieldManager),
    namespace = settings.scope.names?.[0] ?? 'default',
    lease,
    renew,
    retry,
  } = given
  return new Elector({
    ...settings,
    // A client of its own on the same connections: a renewal must not wait behind a rate limit.
    client: createClient(settings.client.transport),
    name,
    namespace,
    identity,
    ...(lease !== undefined && { leaseMs: milliseconds(lease) }),
    ...(renew !== undefined && { renewMs: milliseconds(renew) }),
    ...(retry !== undefined && { retryMs: milliseconds(retry) }),
  })
}

/** The server refuses Events whose controller is not a qualified name. */
function reporterName(name: string): string {
  const cut = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 63)
  return cut.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'operator'
}

function leaseName(name: string): string {
  const cut = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .slice(0, 253)
  return cut.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '') || 'operator'
}
