// Starts the services beside controllers according to the options: event recorder, leader election or shards, metrics, health,
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
import { RunRecorder } from './recorder/run-recorder.ts'
import type { EventSink, FightDetector, Leadership, Observer, RunSink } from './runtime/companions.ts'
import type { NamespaceScope } from './runtime/namespace-scope.ts'
import { Shards } from './shards/shards.ts'

/** The Leases of `leaderElection` and of `shards`. */
export interface LeaseOptions {
  /** Name of the Lease, or of the group of Leases. Default: the operator's name. */
  readonly name?: string
  /** Default: the first of the operator's `namespaces`, else `default`. */
  readonly namespace?: string
  /** Default 15 s, 10 s and 2 s for leader election; 10 s, 6 s and 2 s for shards. */
  readonly lease?: Duration
  readonly renew?: Duration
  readonly retry?: Duration
}

export interface CompanionOptions {
  /** Leader election: one of several replicas acts, the others keep their caches synced. Default: off. */
  readonly leaderElection?: boolean | LeaseOptions
  /** Shards: all replicas act, and each object belongs to one of them, by a hash of its uid. Default: off. */
  readonly shards?: boolean | LeaseOptions
  /** Serves /healthz, /readyz and /metrics. Default: off. */
  readonly health?: HealthOptions
  /** Where events go. Default: the API, which also gets an Event for each run that wrote something; false: nowhere. */
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
  readonly runs: RunSink | undefined
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
  const reporter = { ...settings, controller: reporterName(fieldManager), instance: identity }
  const events = options.events ?? new EventRecorder(reporter)
  const runs = options.events === undefined ? new RunRecorder(reporter) : undefined
  let leadership = options.leadership
  const observers: Observer[] = options.observer ? [options.observer] : []
  const tracer = await traceRuns()
  if (tracer) observers.push(tracer)
  let server: HealthServer | undefined
  if (options.health) {
    const metrics = new OperatorMetrics(clock, {
      leading: () => leadership?.leading ?? true,
      members: () => leadership?.ownership?.members ?? 1,
      synced: () => settings.unready() === undefined,
    })
    observers.push(metrics)
    server = await serveHealth(options.health, { ready: settings.unready, metrics: () => metrics.render() })
    log.info({ url: server.url }, 'serving health and metrics')
  }
  try {
    // Starts last, since it begins to act: nothing may fail after it.
    leadership ??= leadershipOf(options, settings, identity)
  } catch (error) {
    await server?.close()
    throw error
  }
  return {
    events: events || undefined,
    runs,
    leadership,
    observer: joinObservers(observers),
    fights: options.fights === false ? undefined : (options.fights ?? new FightWatch({ fieldManager, clock })),
    health: server?.url,
    async close() {
      await leadership?.close()
      if (events) await events.close()
      await runs?.close()
      await server?.close()
    },
  }
}

function leadershipOf(given: CompanionOptions, settings: CompanionSettings, identity: string): Leadership | undefined {
  const held = leasesOf(given, settings)
  if (held === undefined) return undefined
  const { lease, renew, retry } = leaseOptions(given)
  const options = {
    ...settings,
    ...held,
    // A client of its own on the same connections: a renewal must not wait behind a rate limit.
    client: createClient(settings.client.transport),
    identity,
    ...(lease !== undefined && { leaseMs: milliseconds(lease) }),
    ...(renew !== undefined && { renewMs: milliseconds(renew) }),
    ...(retry !== undefined && { retryMs: milliseconds(retry) }),
  }
  return held.isShared ? new Shards(options) : new Elector(options)
}

/** The Lease of the leader, or the group of those of the shards. */
export interface HeldLeases {
  readonly name: string
  readonly namespace: string
  /** Each process has a Lease of its own. */
  readonly isShared: boolean
}

/** Undefined for a process that acts by itself. */
export function leasesOf(
  options: CompanionOptions,
  { fieldManager, scope }: Pick<CompanionSettings, 'fieldManager' | 'scope'>,
): HeldLeases | undefined {
  if (!options.leaderElection && !options.shards) return undefined
  const { name = fieldManager, namespace = scope.names?.[0] ?? 'default' } = leaseOptions(options)
  const isShared = !options.leaderElection
  return { name: leaseName(name, isShared ? MAX_LABEL : MAX_NAME), namespace, isShared }
}

function leaseOptions({ leaderElection, shards }: CompanionOptions): LeaseOptions {
  const given = leaderElection || shards
  return typeof given === 'object' ? given : {}
}

/** The server refuses Events whose controller is not a qualified name. */
function reporterName(name: string): string {
  const cut = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 63)
  return cut.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'operator'
}

const MAX_NAME = 253
/** The group of shards is the value of a label. */
const MAX_LABEL = 63

function leaseName(name: string, length: number): string {
  const cut = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .slice(0, length)
  return cut.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '') || 'operator'
}
