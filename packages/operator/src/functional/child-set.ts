// The children of one reconcile. Each is applied once, on demand or at the end, after the children it waits for,
// several in parallel. A child that fails does not stop the others.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { refKey } from '../resources/inventory.ts'
import type { Cluster } from '../runtime/cluster.ts'
import { shownRef } from '../runtime/object-key.ts'
import { terminal, waiting } from '../runtime/outcome.ts'
import { isForeign } from '../runtime/owner-scope.ts'
import type { Manifest, ObjectRef } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import type { Target } from '../runtime/run-target.ts'
import { encodeSecretText } from '../runtime/secret-text.ts'
import type { Child, ChildMetadata, ChildOptions } from './child.ts'
import { OWNER_LABEL, ownerReference, type Parent, refusal } from './ownership.ts'
import { notReady, READY, type Readiness, readinessOf } from './readiness.ts'
import { Slots } from './slots.ts'

export interface Settled {
  readonly ref: ObjectRef
  readonly readiness: Readiness
  /** The object, once it exists as described. */
  readonly object?: ApiObject | undefined
  /** The apply failed, and so the reconcile fails. */
  readonly error?: unknown
}

export interface ChildSetOptions {
  readonly run: Pick<RunContext, 'kind' | 'target'>
  readonly cluster: Pick<Cluster, 'owned'>
  readonly parent: Parent
  /** The inventory that earlier reconciles recorded. */
  readonly recorded: readonly ObjectRef[]
  readonly parallel: number
}

interface Body {
  readonly metadata?: ChildMetadata
  readonly [field: string]: unknown
}

export class ChildSet {
  /** Whether some child must be in the inventory before it is created, and is not there yet. */
  unrecorded = false
  readonly #options: ChildSetOptions
  readonly #recorded: ReadonlySet<string>
  /** By `refKey`: reads a child of an earlier reconcile from the cache. */
  readonly #views = new Map<string, () => ApiObject | undefined>()
  readonly #slots: Slots
  readonly #made = new Set<ChildHandle>()
  readonly #settled = new Map<ChildHandle, Promise<Settled>>()
  readonly #claimed = new Map<string, ObjectRef>()

  constructor(options: ChildSetOptions) {
    this.#options = options
    this.#recorded = new Set(options.recorded.map(refKey))
    this.#slots = new Slots(options.parallel)
  }

  /**
   * Loads the children of earlier reconciles, so that a synchronous function can read `observed`. A change of one
   * queues the parent.
   */
  async observe(): Promise<void> {
    const { run, recorded } = this.#options
    for (const ref of recorded) {
      const target = await run.target(ref)
      if (target) this.#views.set(refKey(ref), await target.view())
    }
  }

  /** The current child, if an earlier reconcile created it. A cluster-scoped kind has no namespace in its reference. */
  look(ref: ObjectRef): ApiObject | undefined {
    const view = this.#views.get(refKey(ref)) ?? this.#views.get(refKey({ ...ref, namespace: undefined }))
    return view?.()
  }

  make(apiVersion: string, kind: string, body: Body, options: ChildOptions<ApiObject>): Child {
    const name = options.name ?? body.metadata?.name ?? this.#options.parent.name
    const namespace = options.namespace ?? body.metadata?.namespace ?? this.#options.parent.namespace
    const child = new ChildHandle(this, { apiVersion, kind, name, namespace }, body, options)
    this.#made.add(child)
    return child
  }

  /** Children that the function described but neither returned, applied nor named in `after` of one that it did. */
  forgotten(returned: readonly ChildHandle[]): readonly ObjectRef[] {
    const wanted = new Set([...returned, ...this.#settled.keys()])
    for (const child of wanted) for (const other of child.options.after ?? []) wanted.add(handleOf(other))
    return [...this.#made].filter((child) => !wanted.has(child)).map(({ ref }) => ref)
  }

  /** The children that this reconcile applied or was about to apply, in order. */
  get claimed(): readonly ObjectRef[] {
    return [...this.#claimed.values()]
  }

  /** Applies the child and everything it waits for, unless that is done. Never rejects. */
  settle(child: ChildHandle): Promise<Settled> {
    const known = this.#settled.get(child)
    if (known !== undefined) return known
    const settled = this.#settle(child)
    this.#settled.set(child, settled)
    return settled
  }

  /** The states of all settled children, including those that only others wait for. */
  async all(): Promise<Settled[]> {
    for (;;) {
      const { size } = this.#settled
      const settled = await Promise.all(this.#settled.values())
      if (this.#settled.size === size) return settled
    }
  }

  /** Claims the object for this reconcile. Two children of one name are a mistake of the author. */
  claim(ref: ObjectRef): void {
    const key = refKey(ref)
    if (this.#claimed.has(key)) throw new Error(`${shownRef(ref)} is wanted twice: give one of the two another name`)
    this.#claimed.set(key, ref)
  }

  /**
   * A child that no owner reference can reach must be in the inventory before it exists: nothing else would find it to
   * delete it.
   */
  mayMake(ref: ObjectRef): boolean {
    const allowed = !isForeign(this.#options.parent, ref) || this.#recorded.has(refKey(ref))
    if (!allowed) this.unrecorded = true
    return allowed
  }

  async #settle(child: ChildHandle): Promise<Settled> {
    let ref: ObjectRef = child.ref
    try {
      const info = await this.#options.run.kind(ref)
      if (info !== undefined) ref = this.#place(child, info.namespaced)
      this.claim(ref)
      for (const other of child.options.after ?? []) {
        const { readiness } = await this.settle(handleOf(other))
        if (!readiness.ready) {
          const message = `it is made when ${other.kind} ${other.name} is ready`
          return { ref, readiness: notReady('WaitingForChild', message) }
        }
      }
      const target = await this.#options.run.target(ref)
      if (target === undefined) {
        const message = `the server does not serve ${ref.apiVersion} ${ref.kind}: install its definition`
        return { ref, readiness: notReady('KindNotServed', message) }
      }
      return await this.#slots.use(() => this.#apply(child, target))
    } catch (error) {
      const message = messageOf(error)
      return { ref, readiness: notReady('ApplyFailed', message), error }
    }
  }

  /** Sets the namespace exactly when the kind is namespaced. */
  #place(child: ChildHandle, namespaced: boolean): ObjectRef {
    const { parent } = this.#options
    const { ref } = child
    if (!namespaced) {
      refuseNamespace(child)
      return { ...ref, namespace: undefined }
    }
    if (ref.namespace === undefined) {
      throw new Error(`${shownRef(ref)} needs a namespace, which ${parent.kind} ${parent.name} cannot lend it: set it`)
    }
    return ref
  }

  async #apply(child: ChildHandle, target: Target): Promise<Settled> {
    const { cluster, parent } = this.#options
    const { body, options } = child
    const { ref } = target
    const live = await target.readForWrite()
    const applied = live !== undefined && cluster.owned(live) !== undefined
    const refused = refusal({ ref, live, parent, applied, adopt: options.adopt ?? false })
    if (refused) return { ref, readiness: notReady(refused.reason, refused.message) }
    if (live?.metadata.deletionTimestamp !== undefined) {
      return { ref, readiness: notReady('Terminating', 'it is being deleted, and made again when it is gone') }
    }
    if (!this.mayMake(ref)) return { ref, readiness: notReady('Recording', 'it is made once it is on record') }
    const { object } = await target.apply(manifestOf(ref, body, parent), live)
    child.observed = object
    return { ref, object, readiness: judge(object, options) }
  }
}

export class ChildHandle implements Child {
  readonly ref: ObjectRef
  readonly body: Body
  readonly options: ChildOptions<ApiObject>
  readonly #set: ChildSet
  #observed: ApiObject | undefined

  constructor(set: ChildSet, ref: ObjectRef, body: Body, options: ChildOptions<ApiObject>) {
    this.#set = set
    this.ref = ref
    this.body = body
    this.options = options
  }

  get apiVersion(): string {
    return this.ref.apiVersion
  }

  get kind(): string {
    return this.ref.kind
  }

  get name(): string {
    return this.ref.name
  }

  /** Reads once and keeps the answer, so that a function sees one consistent state. */
  get observed(): ApiObject | undefined {
    this.#observed ??= this.#set.look(this.ref)
    return this.#observed
  }

  set observed(object: ApiObject | undefined) {
    this.#observed = object
  }

  async applied(): Promise<ApiObject> {
    const { object, readiness, error } = await this.#set.settle(this)
    if (error !== undefined) throw error
    if (object === undefined) throw waiting(readiness.reason, `${shownRef(this.ref)}: ${readiness.message}`)
    return object
  }
}

export function handleOf(child: Child): ChildHandle {
  if (child instanceof ChildHandle) return child
  throw new Error('a child is made with the child() of the same run')
}

function manifestOf(ref: ObjectRef, body: Body, parent: Parent): Manifest {
  const { apiVersion, kind, name, namespace } = ref
  const { ownerReferences, labels, ...metadata } = body.metadata ?? {}
  const owned = isForeign(parent, ref)
    ? { ...(ownerReferences && { ownerReferences }), labels: { ...labels, [OWNER_LABEL]: parent.uid } }
    : { ...(labels && { labels }), ownerReferences: [...(ownerReferences ?? []), ownerReference(parent)] }
  const { apiVersion: _, kind: __, ...rest } = body
  const placed = { ...metadata, ...owned, name, ...(namespace && { namespace }) }
  return encodeSecretText({ ...rest, apiVersion, kind, metadata: placed })
}

/**
 * Every child takes the parent's namespace by default; an author who names one for a cluster-scoped kind made a
 * mistake.
 */
function refuseNamespace({ ref, body, options }: ChildHandle): void {
  const given = options.namespace ?? body.metadata?.namespace
  if (given === undefined) return
  const problem = `${shownRef(ref)}: objects of this kind are in no namespace; leave the namespace ${given} out`
  throw terminal(new Error(problem), 'NoNamespace')
}

function judge(object: ApiObject, options: ChildOptions<ApiObject>): Readiness {
  if (!options.readyWhen) return readinessOf(object)
  return options.readyWhen(object) ? READY : notReady('NotReady', 'its readyWhen says that it is not ready')
}
