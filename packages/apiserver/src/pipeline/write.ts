// The context of one write, from the request's input to the stored bytes; every step reads it and fills it in. run-write.ts
// makes it. All verbs share this one shape.

import type { KubeObject } from '@homeostat/meta'
import type { JsonRead } from '@homeostat/meta/server'
import type { Fence, Value } from '@homeostat/store'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { AdmissionStep, AdmittedWrite, Operation } from '../registry/admission-step.ts'
import type { Decoded } from '../registry/decode-object.ts'
import type { DeleteOptions } from '../registry/delete-options.ts'
import { LARGE } from '../registry/large.ts'
import type { Overtaken, Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { Tickets } from '../registry/tickets.ts'
import { storedTypeOf } from '../registry/versions.ts'
import type { WriteEnd } from '../registry/write-end.ts'
import { cacheName, type WriteRequest } from '../registry/write-request.ts'

/**
 * Does one thing to the write, synchronously unless it returns a promise. A step keeps its results in the write and no
 * state of its own, so that the runner can repeat it on newer state.
 */
export type Step<Input = unknown> = (write: Write<Input>) => void | Promise<void>

/** The result of a write: the stored object, or the parsed one for a dry run or an object that vanished. */
export type Written = ({ readonly stored: CachedObject } | { readonly object: KubeObject }) & {
  /** The object did not exist before. */
  readonly created?: boolean
  /** A DELETE removed the object, instead of marking it. */
  readonly gone?: boolean
}

const NO_ANNOTATIONS: ReadonlyMap<string, string> = new Map()
const NOTHING = { apiVersion: '', kind: '', metadata: {} }

export class Write<Input = unknown> implements AdmittedWrite {
  readonly registry: Registry
  readonly request: WriteRequest
  /** That of the request; for code inside the server that of the version in which the object is stored. */
  type: ResourceType
  readonly resource: ResourceCache
  /** Steps that extensions added to this write. */
  readonly added: readonly AdmissionStep[]
  /** The verb's input: a body, a patch, an apply configuration or an edit. */
  readonly input: Input

  /** The number of this attempt, from 1. */
  attempt = 1
  /** The prefix to generate the name from; undefined when the name is known. */
  generateName: string | undefined
  /** The previous generated name was taken, so steps that do not depend on the name are skipped. */
  isRenamed = false
  /** The runner yields between the steps of a large write. */
  isLarge: boolean
  /** Set by a step that makes the remaining deciding steps unnecessary. */
  isDecided = false
  /** Set by the step that ends the write. */
  answer: Written | undefined

  /** The object's key in the cache, and in the store. */
  place = ''
  key = ''
  /** The stored object, if any. The commit is conditional on it. */
  current: CachedObject | undefined
  /** `current` parsed, in the request's version. */
  old: KubeObject | undefined
  /** The body to decode. */
  body: JsonRead | undefined
  /** The body after decoding and before pruning. */
  decoded: Decoded | undefined
  /** The decoded body of a PUT, kept for retries. */
  sent: KubeObject = NOTHING
  /** The object to store, in the request's version. `old` itself when nothing changes. */
  object: KubeObject = NOTHING

  /** `object` in the version to store, when a webhook converts it. */
  converted: KubeObject | undefined

  /** The managed fields to store; for a new object as JSON text, since no step reads them. */
  fields: readonly unknown[] | undefined
  fieldsText: string | undefined
  /** Set by an apply: an object that is too large with its managed fields is refused instead of stored without them. */
  keepsFields = false
  /** This DELETE removes the object; otherwise it marks it, and finalizers or grace hold it. */
  isGone = false
  /** The bytes to store; undefined deletes the object. */
  value: Value | undefined
  /** What the write was decided on besides its object and the object's namespace and definition. */
  fences: readonly Fence[] | undefined
  /** Why the commit of this attempt stored nothing. */
  overtaken: Overtaken | undefined
  /** The parsed form of `value`, kept for readers of the change; set only if no other code holds it. */
  parsed: KubeObject | undefined
  /** See AdmittedWrite. */
  round = 0
  isReinvoked = false
  #annotations: Map<string, string> | undefined
  #ends: WriteEnd[] | undefined
  #held: string | undefined

  readonly #deletes: boolean

  constructor(
    registry: Registry,
    request: WriteRequest,
    added: readonly AdmissionStep[],
    input: Input,
    deletes = false,
  ) {
    this.#deletes = deletes
    this.registry = registry
    this.request = request
    this.type = request.type
    this.resource = registry.resource(request.type)
    this.added = added
    this.input = input
    this.isLarge = request.large ?? false
  }

  get operation(): Operation {
    if (this.#deletes) return 'DELETE'
    return this.old === undefined ? 'CREATE' : 'UPDATE'
  }

  get generatesName(): boolean {
    return this.generateName !== undefined
  }

  get managedFields(): readonly unknown[] | undefined {
    if (this.fieldsText !== undefined) return JSON.parse(this.fieldsText)
    return this.fields ?? this.object.metadata.managedFields
  }

  get deleteOptions(): DeleteOptions | undefined {
    return this.#deletes ? (this.input as DeleteOptions) : undefined
  }

  reinvoke(): void {
    this.isReinvoked = true
  }

  annotate(key: string, value: string): void {
    this.#annotations ??= new Map()
    this.#annotations.set(key, value)
  }

  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? NO_ANNOTATIONS
  }

  /** Sets the keys of the object from its name. */
  locate(name: string): void {
    this.place = cacheName(this.type, this.request.namespace, name)
    this.key = `${this.type.storage}/${this.place}`
  }

  /** Resets the results of an earlier attempt and, if the name is known, looks up the stored object. */
  beginAttempt(isNamed: boolean): void {
    this.old = undefined
    this.fields = undefined
    this.fieldsText = undefined
    this.parsed = undefined
    this.converted = undefined
    this.overtaken = undefined
    this.round = 0
    this.isReinvoked = false
    this.#annotations?.clear()
    if (!isNamed) return
    this.current = this.resource.get(this.place)
    if (this.current === undefined) return
    if (this.current.size > LARGE) this.isLarge = true
    if (this.request.type.hidden !== undefined) this.type = storedTypeOf(this.registry, this.request.type, this.current)
  }

  /** Whether the stored object is still `current`. */
  get isCurrent(): boolean {
    return this.resource.tree.get(this.place) === this.current
  }

  /** Locks the key; returns a promise if it has to wait for another write. */
  hold(): Promise<void> | undefined {
    const others = this.registry.locks.take(this.key)
    this.#held = this.key
    return others
  }

  /** Takes the tickets of what this write decides together with other objects. */
  async takeTickets(tickets: Tickets): Promise<void> {
    const { type, request, added } = this
    const names = added.flatMap((step) => (step.at === 'reserve' && step.ticket ? [step.ticket(request)] : []))
    const { allocationTicket } = type.strategy
    if (allocationTicket !== undefined && request.subresource === undefined) names.push(allocationTicket)
    this.fences = names.length === 0 ? undefined : await Promise.all(names.map((name) => tickets.take(name)))
  }

  /** Unlocks the key, if this write holds it. */
  release(): void {
    if (this.#held === undefined) return
    this.registry.locks.release(this.#held)
    this.#held = undefined
  }

  onEnd(end: WriteEnd): void {
    this.#ends ??= []
    this.#ends.push(end)
  }

  /** Notifies the listeners of `onEnd` how this attempt ended. */
  settle(stored: CachedObject | undefined): void {
    const ends = this.#ends
    if (ends === undefined) return
    this.#ends = undefined
    for (const end of ends) end(stored)
  }
}
