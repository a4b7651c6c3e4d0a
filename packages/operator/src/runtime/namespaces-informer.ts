// The informer of a kind in several namespaces: one watch for each, so that rights in these namespaces are enough and
// objects elsewhere are never read. It follows the scope of the operator; a namespace that leaves takes its objects along.
// A cluster-scoped kind has one watch. Caches open it.

import { Backoff, type Clock, pause, Waiters } from '@homeostat/base'
import type { ApiObject, Client, Informer, InformerEvent, Informers, ObjectName, Selection } from '@homeostat/client'
import { isRefusal } from './cache-refusal.ts'
import type { NamespaceScope } from './namespace-scope.ts'
import type { KindRef } from './object-key.ts'

export interface NamespacesInformerOptions {
  readonly client: Client
  readonly informers: Informers
  readonly scope: NamespaceScope
  readonly clock: Clock
  readonly random: () => number
  onTrouble(error: Error): void
}

type OnChange = (change: InformerEvent<ApiObject>) => void

interface Member {
  readonly informer: Informer<ApiObject>
  readonly unsubscribe: Map<OnChange, () => void>
}

/** First lists that are under way at a time, for each kind. */
const MAX_OPENING = 20
/** The key of the only member of a cluster-scoped kind. */
const CLUSTER = ''

export class NamespacesInformer implements Informer<ApiObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
  readonly #options: NamespacesInformerOptions
  readonly #members = new Map<string, Member>()
  /** Members that are neither synced nor refused. */
  readonly #opening = new Set<string>()
  readonly #pending = new Set<string>()
  readonly #subscribers = new Set<OnChange>()
  readonly #indexes = new Map<string, (object: ApiObject) => readonly string[]>()
  readonly #waiting = new Waiters()
  readonly #ending = new AbortController()
  #located = false
  #synced = false

  constructor({ apiVersion, kind }: KindRef, selection: Selection, options: NamespacesInformerOptions) {
    this.apiVersion = apiVersion
    this.kind = kind
    this.selection = selection
    this.#options = options
    void this.#start()
  }

  /**
   * The first namespaces are synced, or refused by the server, which does not hold up the others. A namespace that is added
   * later is read from the server until `covers` it.
   */
  get synced(): boolean {
    if (!this.#synced && this.#located && this.#opening.size + this.#pending.size === 0) {
      this.#synced = this.#members.size === 0 || this.#all.some(({ synced }) => synced)
    }
    return this.#synced
  }

  /** Whether the cache holds all objects of the namespace. */
  covers(namespace: string | undefined): boolean {
    return this.#member(namespace)?.synced === true
  }

  get revision(): string {
    return this.#all[0]?.revision ?? ''
  }

  /** Why no namespace is synced. */
  get trouble(): Error | undefined {
    if (this.#opening.size + this.#pending.size > 0) return undefined
    return this.#all.every(({ synced }) => !synced) ? this.#all[0]?.trouble : undefined
  }

  get size(): number {
    return this.#all.reduce((sum, { size }) => sum + size, 0)
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    while (!this.synced) {
      signal?.throwIfAborted()
      if (this.#ending.signal.aborted) throw this.#ending.signal.reason
      await this.#waiting.wait(signal)
    }
  }

  get(name: ObjectName): ApiObject | undefined {
    return this.#member(name.namespace)?.get(name)
  }

  list(namespace?: string): ApiObject[] {
    if (namespace !== undefined) return this.#member(namespace)?.list(namespace) ?? []
    return this.#all.flatMap((informer) => informer.list())
  }

  addIndex(name: string, valuesOf: (object: ApiObject) => readonly string[]): void {
    this.#indexes.set(name, valuesOf)
    for (const informer of this.#all) informer.addIndex(name, valuesOf)
  }

  byIndex(name: string, value: string): ApiObject[] {
    return this.#all.flatMap((informer) => informer.byIndex(name, value))
  }

  subscribe(onChange: OnChange): () => void {
    // Each call subscribes, also with a function that has subscribed already.
    const own: OnChange = (change) => onChange(change)
    this.#subscribers.add(own)
    for (const { informer, unsubscribe } of this.#members.values()) unsubscribe.set(own, informer.subscribe(own))
    return () => {
      this.#subscribers.delete(own)
      for (const { unsubscribe } of this.#members.values()) {
        unsubscribe.get(own)?.()
        unsubscribe.delete(own)
      }
    }
  }

  wrote(object: ApiObject): void {
    this.#member(object.metadata.namespace)?.wrote(object)
  }

  removed(name: ObjectName, resourceVersion: string): void {
    this.#member(name.namespace)?.removed(name, resourceVersion)
  }

  /** The server refuses the kind in the namespace of a member. */
  refused(namespace: string | undefined): void {
    this.#settled(namespace ?? CLUSTER)
  }

  close(): void {
    this.#ending.abort(new Error(`The informer of ${this.kind} was closed.`))
    for (const informer of this.#all) informer.close()
    this.#members.clear()
    this.#waiting.notify()
  }

  get #all(): Informer<ApiObject>[] {
    return [...this.#members.values()].map(({ informer }) => informer)
  }

  #member(namespace = CLUSTER): Informer<ApiObject> | undefined {
    return (this.#members.get(namespace) ?? this.#members.get(CLUSTER))?.informer
  }

  async #start(): Promise<void> {
    const namespaced = await this.#locate()
    if (this.#ending.signal.aborted) return
    this.#located = true
    if (namespaced) {
      const unsubscribe = this.#options.scope.subscribe(() => this.#follow())
      this.#ending.signal.addEventListener('abort', unsubscribe)
      this.#follow()
    } else this.#open(CLUSTER)
    this.#waiting.notify()
  }

  /** Whether the kind is namespaced. Waits until the server serves it, as any informer does. */
  async #locate(): Promise<boolean> {
    const { client, clock, random, onTrouble } = this.#options
    const { signal } = this.#ending
    const backoff = new Backoff<'kind'>({ min: 500, max: 5000, jitter: 0.5, random })
    while (!signal.aborted) {
      try {
        const info = await client.discover(this.apiVersion, this.kind, signal)
        if (info !== undefined) return info.namespaced
        throw new Error(`The server does not serve ${this.kind} of ${this.apiVersion}.`)
      } catch (error) {
        if (!signal.aborted) onTrouble(error instanceof Error ? error : new Error(String(error)))
      }
      await pause(clock, backoff.next('kind'), signal)
    }
    return false
  }

  #follow(): void {
    const names = new Set(this.#options.scope.names)
    for (const name of [...this.#members.keys()]) if (!names.has(name)) this.#leave(name)
    this.#pending.clear()
    for (const name of names) if (!this.#members.has(name)) this.#pending.add(name)
    this.#openPending()
  }

  #openPending(): void {
    for (const name of this.#pending) {
      if (this.#opening.size >= MAX_OPENING) break
      this.#pending.delete(name)
      this.#open(name)
    }
    this.#waiting.notify()
  }

  #open(namespace: string): void {
    const select = namespace === CLUSTER ? this.selection : { ...this.selection, namespace }
    const informer = this.#options.informers.open<ApiObject>(this.apiVersion, this.kind, select)
    for (const [name, valuesOf] of this.#indexes) informer.addIndex(name, valuesOf)
    const member: Member = { informer, unsubscribe: new Map() }
    this.#members.set(namespace, member)
    if (!informer.synced) {
      this.#opening.add(namespace)
      const settle = () => {
        if (this.#members.get(namespace) === member) this.#settled(namespace)
      }
      informer.whenSynced(this.#ending.signal).then(settle, () => {})
      if (isRefusal(informer.trouble)) settle()
    }
    for (const onChange of this.#subscribers) member.unsubscribe.set(onChange, informer.subscribe(onChange))
  }

  #settled(namespace: string): void {
    if (this.#opening.delete(namespace)) this.#openPending()
  }

  /** Its objects go as if they were deleted, so that all that is kept of them is dropped. */
  #leave(namespace: string): void {
    const member = this.#members.get(namespace)
    if (member === undefined) return
    const objects = member.informer.list()
    this.#members.delete(namespace)
    this.#opening.delete(namespace)
    member.informer.close()
    for (const object of objects) {
      const change: InformerEvent<ApiObject> = { type: 'deleted', object, previous: object, initial: false }
      for (const onChange of [...this.#subscribers]) onChange(change)
    }
  }
}
