// One write on its way from what was sent to what is stored: the context that every step reads and fills in. Made and
// carried along by run-write.ts; there is one shape of it, whatever the verb.

import type { JsonRead, KubeObject } from '@homeostat/meta'
import type { Value } from '@homeostat/store'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { AdmissionStep, AdmittedWrite } from '../registry/admission-step.ts'
import type { Decoded } from '../registry/decode-object.ts'
import { LARGE } from '../registry/large.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { WriteEnd } from '../registry/write-end.ts'
import { cacheName, type WriteRequest } from '../registry/write-request.ts'

/**
 * Does one thing to the write. Synchronous, unless it returns a promise, which is awaited. It keeps all it knows in the
 * write, so that the runner may repeat it on newer state.
 */
export type Step<Input = unknown> = (write: Write<Input>) => void | Promise<void>

/** What a write answers with: what is stored now, or what would be (a dry run), or what was (an object that vanished). */
export type Written = ({ readonly stored: CachedObject } | { readonly object: KubeObject }) & {
  /** The object did not exist before. */
  readonly created?: boolean
}

const NOTHING = { apiVersion: '', kind: '', metadata: {} }

export class Write<Input = unknown> implements AdmittedWrite {
  readonly registry: Registry
  readonly request: WriteRequest
  readonly type: ResourceType
  readonly resource: ResourceCache
  /** Steps that extensions added to this write. */
  readonly added: readonly AdmissionStep[]
  /** What the verb brings: a body, a patch, a configuration, a function. */
  readonly input: Input

  /** How often it was decided. */
  attempt = 1
  /** What a name is to be generated from; undefined when the name is known. */
  generateName: string | undefined
  /** The name that was generated before was taken: what does not depend on the name is not done again. */
  isRenamed = false
  /** Gives way to others between steps. */
  isLarge: boolean
  /** No further step of the decision is needed. */
  isDecided = false
  /** Set by the step that ends the write. */
  answer: Written | undefined

  /** Where the object lives: in the cache, and in the store. */
  place = ''
  key = ''
  /** What is stored; undefined when nothing is. The commit is conditional on it. */
  current: CachedObject | undefined
  /** The same, parsed, in the request's version. */
  old: KubeObject | undefined
  /** The body that is decoded next. */
  body: JsonRead | undefined
  /** The same between decoding and pruning. */
  decoded: Decoded | undefined
  /** What a PUT sent, as it was decoded. */
  sent: KubeObject = NOTHING
  /** What shall be stored, in the request's version. `old` itself when nothing changes. */
  object: KubeObject = NOTHING

  /** Who owns which fields then: of a new object as JSON, since it is only written. */
  fields: readonly unknown[] | undefined
  fieldsText: string | undefined
  /** After an apply: an object that is too large with its managed fields is not stored without them. */
  keepsFields = false
  /** What is stored next; undefined deletes. */
  value: Value | undefined
  /** The parsed form of that, for those who read the change; only if nobody else holds it. */
  parsed: KubeObject | undefined
  #ends: WriteEnd[] | undefined
  #held: string | undefined

  constructor(registry: Registry, request: WriteRequest, added: readonly AdmissionStep[], input: Input) {
    this.registry = registry
    this.request = request
    this.type = request.type
    this.resource = registry.resource(request.type)
    this.added = added
    this.input = input
    this.isLarge = request.large ?? false
  }

  /** Where the object of that name lives is known from now on. */
  locate(name: string): void {
    this.place = cacheName(this.type, this.request.namespace, name)
    this.key = `${this.type.storage}/${this.place}`
  }

  /** Forgets what an earlier attempt decided, and looks up what is stored now, if its name is known. */
  beginAttempt(isNamed: boolean): void {
    this.old = undefined
    this.fields = undefined
    this.fieldsText = undefined
    this.parsed = undefined
    if (!isNamed) return
    this.current = this.resource.get(this.place)
    if (this.current !== undefined && this.current.size > LARGE) this.isLarge = true
  }

  /** Whether what is stored is still what was found. */
  get isCurrent(): boolean {
    return this.resource.tree.get(this.place) === this.current
  }

  /** Takes the key; a promise of it when somebody else has it. */
  hold(): Promise<void> | undefined {
    const others = this.registry.locks.take(this.key)
    this.#held = this.key
    return others
  }

  /** Gives the key back, if it is held. */
  release(): void {
    if (this.#held === undefined) return
    this.registry.locks.release(this.#held)
    this.#held = undefined
  }

  onEnd(end: WriteEnd): void {
    this.#ends ??= []
    this.#ends.push(end)
  }

  /** Tells those who wait for it how this attempt ended. */
  settle(stored: CachedObject | undefined): void {
    const ends = this.#ends
    if (ends === undefined) return
    this.#ends = undefined
    for (const end of ends) end(stored)
  }
}
