// What the framework knows of one custom resource: its newest state, its accepted spec, the run under way, and what has
// to be closed with it. CustomResource is the author's side of it; ClassBehaviour drives it.

import type { ApiObject } from '@homeostat/client'
import { shownRef } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/run.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { refKey } from './inventory.ts'
import { RunScope } from './run-scope.ts'
import { type Closable, currentScope, inScope, type Scope } from './scope.ts'
import type { Services } from './services.ts'

/** References that an instance may hold; an author who makes new ones in each run would never stop. */
const MAX_HELD = 1000

export class Instance implements Scope {
  readonly services: Services
  readonly ref: ObjectRef
  readonly uid: string
  /** Objects that the handles of its fields own, by key. */
  readonly owned = new Map<string, ObjectRef>()
  readonly #watched: boolean
  #object: ApiObject
  #spec: unknown
  #current: RunScope | undefined
  /** One object of each kind that was looked at. */
  readonly #kinds = new Map<string, ObjectRef>()
  readonly #held = new Set<Closable>()
  #closed = false

  /** `watched`: the cluster's own cache has all objects of the kind, not a selection in a cache of its own. */
  constructor(services: Services, object: ApiObject, spec: unknown, watched: boolean) {
    const { name = '', namespace, uid = '' } = object.metadata
    this.services = services
    this.ref = { apiVersion: object.apiVersion, kind: object.kind, name, namespace }
    this.uid = uid
    this.#object = object
    this.#spec = spec
    this.#watched = watched
  }

  /** While it is built there is none. */
  get run(): RunContext | undefined {
    return undefined
  }

  /** The object as the run sees it; between runs the newest known. */
  get object(): ApiObject {
    const current = this.#current?.run?.object
    if (current) return current
    const newest = this.#watched ? this.services.cluster.peek(this.ref) : undefined
    return newest?.metadata.uid === this.uid ? newest : this.#object
  }

  get exists(): boolean {
    if (this.#closed || !this.#watched) return !this.#closed
    return this.services.cluster.peek(this.ref)?.metadata.uid === this.uid
  }

  get spec(): unknown {
    return this.#spec
  }

  /** A state that arrived, with its spec if that was accepted. */
  update(object: ApiObject, spec: unknown): void {
    this.#object = object
    this.#spec = spec
  }

  /** The run on whose behalf the caller is running. Undefined outside of runs, and for what a run left behind. */
  get scope(): RunScope | undefined {
    const scope = currentScope()
    const own = scope instanceof RunScope && scope.run?.object.metadata.uid === this.uid ? scope : undefined
    if (scope instanceof RunScope) return own
    return this.#current
  }

  /** Says that something only a run can do was asked for outside of one. It is left undone. */
  outsideRun(what: string): void {
    this.services.log.error(
      { object: shownRef(this.ref) },
      `${what} was called outside of a run and does nothing: call queueReconcile(), and do it in reconcile()`,
    )
  }

  /** Builds what belongs to the instance: what is held then is held until the instance goes. */
  build<R>(work: () => R): R {
    return inScope<R>(this, work)
  }

  /** A run of the object begins. */
  begin(run: RunContext): RunScope {
    const scope = new RunScope(run, this)
    this.#current = scope
    return scope
  }

  async end(scope: RunScope): Promise<void> {
    await scope.end()
    if (this.#current === scope) this.#current = undefined
  }

  /** A handle that owns the object was made: for good while the instance is built, else for this run. */
  own(ref: ObjectRef): void {
    const owned = currentScope() === this ? this.owned : (this.scope?.owned ?? this.owned)
    owned.set(refKey(ref), ref)
  }

  saw(ref: ObjectRef): void {
    this.#kinds.set(`${ref.apiVersion} ${ref.kind}`, ref)
  }

  misread(): void {}

  /** Waits for the caches that the author's code looks into. A kind that is not served has no objects, and no cache to wait for. */
  async whenSeen(signal: AbortSignal): Promise<void> {
    const { cluster } = this.services
    for (const ref of this.#kinds.values()) {
      if (!cluster.informer(ref.apiVersion, ref.kind).synced) await cluster.read(ref, signal)
    }
  }

  queue(trigger: string): void {
    if (!this.#closed) this.services.cluster.queue(this.ref, trigger)
  }

  hold(held: Closable): () => void {
    this.#held.add(held)
    const [oldest] = this.#held
    if (this.#held.size > MAX_HELD && oldest) this.#letGo(oldest)
    return () => this.#held.delete(held)
  }

  #letGo(oldest: Closable): void {
    this.services.log.warn(
      { object: shownRef(this.ref) },
      `more than ${MAX_HELD} references with listeners: the oldest ends. Make them in fields, not in each run`,
    )
    oldest.close()
    this.#held.delete(oldest)
  }

  /** The object is gone. Safe to call twice. */
  close(): void {
    this.#closed = true
    for (const held of [...this.#held]) held.close()
    this.#held.clear()
  }
}
