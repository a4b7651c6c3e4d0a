// The framework's state of one custom resource: its newest object, its accepted spec, the current reconcile, and what
// to close with it. CustomResource is the author's view of it; ClassBehaviour drives it.

import type { ApiObject } from '@homeostat/client'
import { shownRef } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { refKey } from './inventory.ts'
import { RunScope } from './run-scope.ts'
import { type Closable, currentScope, inScope, type Scope } from './scope.ts'
import type { Services } from './services.ts'

/** Limit on references that an instance holds: an author may create new ones in each reconcile. */
const MAX_HELD = 1000

export class Instance implements Scope {
  readonly services: Services
  readonly ref: ObjectRef
  readonly uid: string
  /** Objects that handles in fields own, by key. */
  readonly owned = new Map<string, ObjectRef>()
  readonly #watched: boolean
  #object: ApiObject
  #spec: unknown
  #current: RunScope | undefined
  /** One object of each kind that was read. */
  readonly #kinds = new Map<string, ObjectRef>()
  readonly #held = new Set<Closable>()
  #closed = false

  /** `watched`: the cluster's cache holds all objects of the kind, not a selection in a cache of its own. */
  constructor(services: Services, object: ApiObject, spec: unknown, watched: boolean) {
    const { name = '', namespace, uid = '' } = object.metadata
    this.services = services
    this.ref = { apiVersion: object.apiVersion, kind: object.kind, name, namespace }
    this.uid = uid
    this.#object = object
    this.#spec = spec
    this.#watched = watched
  }

  /** The constructor runs outside of a reconcile. */
  get run(): RunContext | undefined {
    return undefined
  }

  /** The object as the current reconcile sees it; between reconciles the newest known. */
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

  /** Takes a new state of the object, with its accepted spec. */
  update(object: ApiObject, spec: unknown): void {
    this.#object = object
    this.#spec = spec
  }

  /** The reconcile that the caller runs in. Undefined outside of one, and for code that outlived its reconcile. */
  get scope(): RunScope | undefined {
    const scope = currentScope()
    const own = scope instanceof RunScope && scope.run?.object.metadata.uid === this.uid ? scope : undefined
    if (scope instanceof RunScope) return own
    return this.#current
  }

  /** Logs that something was called outside of a reconcile and has no effect. */
  outsideRun(what: string): void {
    this.services.log.error(
      { object: shownRef(this.ref) },
      `${what} was called outside of a run and does nothing: call queueReconcile(), and do it in reconcile()`,
    )
  }

  /** Runs the constructor or `setup`: what these hold is held until the instance is closed. */
  build<R>(work: () => R): R {
    return inScope<R>(this, work)
  }

  begin(run: RunContext): RunScope {
    const scope = new RunScope(run, this)
    this.#current = scope
    return scope
  }

  async end(scope: RunScope): Promise<void> {
    await scope.end()
    if (this.#current === scope) this.#current = undefined
  }

  /** Records an object that a handle owns: for good during the constructor, else for this reconcile. */
  own(ref: ObjectRef): void {
    const owned = currentScope() === this ? this.owned : (this.scope?.owned ?? this.owned)
    owned.set(refKey(ref), ref)
  }

  saw(ref: ObjectRef): void {
    this.#kinds.set(`${ref.apiVersion} ${ref.kind}`, ref)
  }

  misread(): void {}

  /** Waits for the caches that the author's code reads. A kind that is not served has no objects and no cache. */
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

  /** Closes everything that is held, once the object is gone. Safe to call twice. */
  close(): void {
    this.#closed = true
    for (const held of [...this.#held]) held.close()
    this.#held.clear()
  }
}
