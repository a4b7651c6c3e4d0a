// Puts an operator together and keeps it going: caches, controllers, the dispatcher, terms of leadership, the end.
// `run` calls it.

import { type Clock, Pace, systemClock } from '@homeostat/base'
import { type ApiObject, type Change, type Client, createInformers, type Informer } from '@homeostat/client'
import { whileReachable } from './await-server.ts'
import { CacheTroubles } from './cache-troubles.ts'
import type { CacheSelection } from './caches.ts'
import { type Cause, causeOfOwn, causeOfRead } from './causes.ts'
import { isSameState } from './change-worth.ts'
import type { EventSink, FightDetector, Leadership, Observer } from './companions.ts'
import type { Controlled, WatchRule } from './controlled.ts'
import { Controller, type PulledSide } from './controller.ts'
import { Dependencies } from './dependencies.ts'
import { Dispatcher } from './dispatcher.ts'
import type { OperatorNames } from './finalizer-name.ts'
import { LiveCluster } from './live-cluster.ts'
import { keyParts, kindKey, nameOf, objectKey, refOf } from './object-key.ts'
import { OwnedParts } from './owned-parts.ts'
import type { Log, ObjectRef } from './run.ts'

export interface OperatorOptions {
  readonly client: Client
  readonly fieldManager: string
  readonly names: OperatorNames
  readonly namespace?: string | undefined
  readonly caches?: Readonly<Record<string, CacheSelection>> | undefined
  readonly concurrency: number
  readonly backoff: { readonly min: number; readonly max: number }
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly shutdownMs: number
  readonly events?: EventSink | undefined
  readonly leadership?: Leadership | undefined
  readonly observer?: Observer | undefined
  readonly fights?: FightDetector | undefined
  /** Where runs come from instead of changes. */
  readonly pull?: Pull | undefined
}

/** Somebody else says which object runs when: `pull/` asks a colony. */
export interface Pull {
  readonly side: PulledSide
  /** Lets runs happen until `stop` ends and those under way have ended. Rejects when it cannot begin. */
  work(dispatcher: Dispatcher, stop: AbortSignal): Promise<void>
  /** Asks for a run. Wishes with the same token are one, whichever worker has them. */
  queue(ref: ObjectRef, text: string, token?: string): void
}

/** After the runs' signals have ended, for those that do not listen. */
const LAST_GRACE_MS = 6000

export class OperatorProcess {
  readonly cluster: LiveCluster
  readonly dispatcher: Dispatcher
  readonly dependencies = new Dependencies()
  readonly #options: OperatorOptions
  readonly #parts: OwnedParts
  readonly #informers: ReturnType<typeof createInformers>
  /** Ends the taking of keys. */
  readonly #stopping = new AbortController()
  /** Ends runs. */
  readonly #aborting = new AbortController()
  #closing: Promise<void> | undefined
  #working: Promise<void> = Promise.resolve()

  constructor(options: OperatorOptions) {
    const { client, fights, log } = options
    this.#options = options
    this.#parts = new OwnedParts(options.fieldManager)
    const troubles = new CacheTroubles(log, client.transport.server)
    this.#informers = createInformers(client, {
      keep: (object) => this.#keep(object, fights),
      clock: options.clock,
      random: options.random,
      onTrouble: (error, kind) => {
        troubles.troubled(error, kind)
        this.cluster.caches.troubled(kind, error)
      },
      onRecovered: (kind) => troubles.recovered(kind),
    })
    this.cluster = new LiveCluster({
      ...options,
      narrowed: options.caches,
      pulls: options.pull !== undefined,
      informers: this.#informers,
      parts: this.#parts,
      onChange: (kind, change) => this.#tellReaders(kind, change),
      onSynced: (kind) => this.#tellSeekers(kind),
      queue: (ref, cause) => this.queue(ref, cause),
    })
    this.dispatcher = new Dispatcher({ ...options, dependencies: this.dependencies })
  }

  /** Opens the caches of what is controlled and resolves when they are complete. */
  async open(all: readonly Controlled[], signal: AbortSignal): Promise<void> {
    const { events, fights, names, observer, pull } = this.#options
    const pace = new Pace((message) => this.#options.log.warn({}, message))
    const shared = { cluster: this.cluster, parts: this.#parts, names, pace, dependencies: this.dependencies }
    for (const controlled of all) {
      const controller = new Controller({ ...shared, controlled, events, fights, observer, pulled: pull?.side })
      this.dispatcher.add(controller)
      observer?.queue?.(controlled.kind, () => this.dispatcher.queueOf(controller.kind))
      controller.informer?.subscribe((change) => this.#ownChange(controller, change))
      for (const rule of controlled.watches ?? []) this.#watch(controller, rule)
    }
    await Promise.all(this.cluster.caches.all.map((informer) => this.#whenUsable(informer, signal)))
  }

  /** A kind that is not served holds nobody up: its objects run when it is. */
  async #whenUsable(informer: Informer<ApiObject>, signal: AbortSignal): Promise<void> {
    const { apiVersion, kind } = informer
    const { client } = this.cluster
    const find = () => client.discover(apiVersion, kind, signal)
    if ((await whileReachable({ ...this.#options, signal }, find)) !== undefined) return informer.whenSynced(signal)
    this.#options.log.warn({ apiVersion, kind }, 'the kind is not served: its objects have to wait until it is')
  }

  /** Works from term to term of leadership until it is closed. Rejects when that is not possible. */
  start(): Promise<void> {
    const terms = this.#terms()
    this.#working = terms.catch(() => {})
    return terms
  }

  queue(ref: ObjectRef, text: string): void {
    const { pull } = this.#options
    const controller = this.dispatcher.controllerOf(kindKey(ref))
    if (controller !== undefined && pull !== undefined) pull.queue(ref, text)
    else if (controller !== undefined) this.dispatcher.enqueue(controller.keyOf(ref), { text })
    else this.#options.log.warn({ ref }, 'nobody here controls the kind that was queued')
  }

  why(ref: ObjectRef): readonly Cause[] {
    return this.dispatcher.states.find(objectKey(kindKey(ref), ref))?.causes.last ?? []
  }

  /** Lets runs under way end, aborts them when that takes too long, then closes the caches. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Endings take real time, whatever clock the runs go by. */
  async #close(): Promise<void> {
    const { shutdownMs } = this.#options
    this.#stopping.abort(new Error('the operator ends'))
    const cancelAbort = systemClock.setTimer(shutdownMs, () => this.#aborting.abort(new Error('the operator ends')))
    let cancelWait = () => {}
    const given = new Promise<void>((resolve) => {
      cancelWait = systemClock.setTimer(shutdownMs + LAST_GRACE_MS, resolve)
    })
    // A colony is told how runs ended, which takes its own, bounded time.
    await (this.#options.pull === undefined ? Promise.race([this.#working, given]) : this.#working)
    cancelAbort()
    cancelWait()
    this.#aborting.abort(new Error('the operator ends'))
    this.dispatcher.close()
    this.cluster.caches.close()
    this.#informers.close()
  }

  async #terms(): Promise<void> {
    const { leadership, pull } = this.#options
    const stop = this.#stopping.signal
    if (pull !== undefined) return pull.work(this.dispatcher, stop)
    while (!stop.aborted) {
      if (leadership === undefined) {
        await this.dispatcher.work(stop, this.#aborting.signal)
        continue
      }
      const term = await leadership.lead(stop).catch((error: unknown) => {
        if (stop.aborted) return undefined
        throw error
      })
      if (term === undefined) break
      // Who leads no longer must not act: runs end at once.
      await this.dispatcher.work(AbortSignal.any([stop, term]), AbortSignal.any([this.#aborting.signal, term]))
    }
  }

  #ownChange(controller: Controller, change: Change<ApiObject>): void {
    const { object, initial } = change
    if (!this.#isWorthARun(controller, change)) return
    const { resourceVersion } = object.metadata
    const cause = { text: causeOfOwn(change), resourceVersion, manager: this.#parts.writer(object) }
    this.dispatcher.enqueue(controller.keyOf(nameOf(object)), cause, initial ? 'low' : 'fresh')
  }

  #isWorthARun(controller: Controller, change: Change<ApiObject>): boolean {
    try {
      return controller.isWorthARun(change)
    } catch (error) {
      this.#options.log.error({ err: error, kind: controller.controlled.kind }, 'a predicate failed')
      return true
    }
  }

  #tellReaders(kind: string, change: Change<ApiObject>): void {
    const { object, previous } = change
    const readers = this.dependencies.readersOf(kind, [previous, object])
    if (readers.size === 0) return
    if (previous !== undefined && change.type === 'updated' && isSameState(previous, object)) return
    const { resourceVersion } = object.metadata
    const cause = { text: causeOfRead(change), resourceVersion, manager: this.#parts.writer(object) }
    for (const key of readers) this.#wake(key, cause, change)
  }

  #tellSeekers(kind: string): void {
    const text = `${kind} is served now`
    for (const key of this.dependencies.readersOfMissingKind(kind)) this.#wake(key, { text })
  }

  /** A key that is pulled is asked for at the colony: a run there is no cheap look, so own writes ask for none. */
  #wake(key: string, cause: Omit<Cause, 'at'>, change?: Change<ApiObject>): void {
    const { pull, fieldManager } = this.#options
    if (pull === undefined) {
      this.dispatcher.enqueue(key, cause, change?.initial ? 'low' : 'fresh')
      return
    }
    const { kind, ...name } = keyParts(key)
    const controlled = this.dispatcher.controllerOf(kind)?.controlled
    const isOwnWrite = change !== undefined && change.type !== 'deleted' && cause.manager === fieldManager
    if (controlled === undefined || change?.initial || isOwnWrite) return
    const ref = { apiVersion: controlled.apiVersion, kind: controlled.kind, ...name }
    const { uid, resourceVersion } = change?.object.metadata ?? {}
    pull.queue(ref, cause.text, change && `${change.type}-${uid}-${resourceVersion}`)
  }

  #watch(controller: Controller, rule: WatchRule): void {
    this.cluster.caches.main(rule).subscribe((change) => {
      try {
        const cause = { text: causeOfRead(change), resourceVersion: change.object.metadata.resourceVersion }
        const states = [change.previous, change.object].filter((state) => state !== undefined)
        const keys = new Set(states.flatMap((state) => rule.map(state).map((name) => controller.keyOf(name))))
        for (const key of keys) this.#wake(key, cause, change)
      } catch (error) {
        this.#options.log.error({ err: error, kind: rule.kind }, 'the map of a watch failed')
      }
    })
  }

  #keep(object: ApiObject, fights: FightDetector | undefined): ApiObject {
    if (fights !== undefined) {
      const before = this.cluster.caches.find(refOf(object))
      const owned = before && this.#parts.main(before)
      if (owned !== undefined) fights.arrived(object, owned)
    }
    return this.#parts.keep(object)
  }
}
