// What the controllers of one operator share: the cluster with its caches, the dispatcher with its queue, and the
// tracked reads. `run` creates one, opens it, and starts its dispatcher.

import { type Clock, type Log, Pace } from '@homeostat/base'
import type { ApiObject, Client, Informer } from '@homeostat/client'
import { whileReachable } from './await-server.ts'
import type { CacheSelection } from './caches.ts'
import { ChangeRouter } from './change-router.ts'
import type { EventSink, FightDetector, Leadership, Observer, Ownership, RunSink } from './companions.ts'
import type { Controlled } from './controlled.ts'
import { Controller } from './controller.ts'
import { Dependencies } from './dependencies.ts'
import { Dispatcher } from './dispatcher.ts'
import type { OperatorNames } from './finalizer-name.ts'
import { LiveCluster } from './live-cluster.ts'
import type { NamespaceScope } from './namespace-scope.ts'
import { notedClient } from './noted-client.ts'
import { kindKey, objectKey } from './object-key.ts'
import type { Pull } from './pull.ts'
import type { ObjectRef } from './reconcile-context.ts'
import { RunNotes } from './run-notes.ts'
import type { Trigger } from './triggers.ts'

export interface ManagerOptions {
  readonly client: Client
  readonly fieldManager: string
  readonly names: OperatorNames
  readonly scope: NamespaceScope
  readonly caches?: Readonly<Record<string, CacheSelection>> | undefined
  readonly concurrency: number
  readonly backoff: { readonly min: number; readonly max: number }
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly events?: EventSink | undefined
  readonly runs?: RunSink | undefined
  readonly leadership?: Leadership | undefined
  readonly observer?: Observer | undefined
  readonly fights?: FightDetector | undefined
  /** Set when a colony assigns reconciles instead of changes. */
  readonly pull?: Pull | undefined
}

export class Manager {
  readonly cluster: LiveCluster
  readonly dispatcher: Dispatcher
  readonly dependencies = new Dependencies()
  readonly #options: ManagerOptions
  readonly #router: ChangeRouter

  constructor(options: ManagerOptions) {
    const { dependencies } = this
    this.#options = options
    const notes = new RunNotes()
    const client = notedClient(options.client, {
      notes: () => notes.taker,
      cached: (ref) => this.cluster.caches.find(ref),
    })
    this.cluster = new LiveCluster({
      ...options,
      client: options.runs === undefined ? options.client : client,
      narrowed: options.caches,
      pulls: options.pull !== undefined,
      onChange: (kind, change) => this.#router.objectChanged(kind, change),
      onSynced: (kind) => this.#router.kindServed(kind),
      queue: (ref, text) => this.queue(ref, text),
    })
    this.dispatcher = new Dispatcher({ ...options, dependencies, notes })
    this.#router = new ChangeRouter({ ...options, cluster: this.cluster, dispatcher: this.dispatcher, dependencies })
  }

  /** Opens the caches of the controlled kinds and resolves when they are synced. */
  async open(all: readonly Controlled[], signal: AbortSignal): Promise<void> {
    const { cluster, dependencies, dispatcher } = this
    const { observer, pull, log, leadership } = this.#options
    const ownership = leadership?.ownership
    await cluster.open(signal)
    const pace = new Pace((message) => log.warn({}, message))
    for (const controlled of all) {
      const shared = { ...this.#options, cluster, dependencies, pace }
      const controller = new Controller({ ...shared, controlled, pulled: pull?.side })
      dispatcher.add(controller)
      observer?.queue?.(controlled.kind, () => dispatcher.queueOf(controller.kind))
      if (ownership !== undefined) observer?.owned?.(controlled.kind, () => countOwned(controller, ownership))
      this.#router.follow(controller)
    }
    ownership?.onRebalance(() => dispatcher.rebalance(ownership))
    await Promise.all(cluster.caches.all.map((informer) => this.#whenUsable(informer, signal)))
  }

  queue(ref: ObjectRef, text: string): void {
    this.#router.queue(ref, text)
  }

  why(ref: ObjectRef): readonly Trigger[] {
    return this.dispatcher.states.find(objectKey(kindKey(ref), ref))?.triggers.last ?? []
  }

  /** Call it after all reconciles have ended. */
  close(): void {
    this.dispatcher.close()
    this.cluster.close()
  }

  /** A kind that is not served does not delay the start: its objects are reconciled as soon as it is served. */
  async #whenUsable(informer: Informer<ApiObject>, signal: AbortSignal): Promise<void> {
    const { apiVersion, kind } = informer
    const { client } = this.cluster
    const find = () => client.discover(apiVersion, kind, signal)
    if ((await whileReachable({ ...this.#options, signal }, find)) !== undefined) return informer.whenSynced(signal)
    this.#options.log.warn({ apiVersion, kind }, 'the kind is not served: its objects have to wait until it is')
  }
}

function countOwned({ informer }: Controller, ownership: Ownership): number {
  return (informer?.list() ?? []).filter(({ metadata }) => ownership.owns(metadata.uid ?? '')).length
}
