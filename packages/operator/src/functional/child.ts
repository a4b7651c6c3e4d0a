// A child as an author describes it: what it shall be, and what may be asked of it. The set of a run's children
// (child-set.ts) applies it.

import type { ApiObject, LooseObject, ObjectOf } from '@homeostat/client'
import type { ObjectMeta } from '@homeostat/meta'
import type { SentFields } from '../runtime/secret-text.ts'
import type { EnsuredSecret } from '../secrets/ensured-secret.ts'

export interface Child<out T extends ApiObject = ApiObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** As this run first saw it, or as the server answered since; undefined when it is not there. Not to be changed. */
  readonly observed: T | undefined
  /**
   * Applies it now and answers what it is then. For children that are made from what the server answers; all others are
   * applied when the function has returned them.
   */
  applied(): Promise<T>
}

export interface ChildOptions<T extends ApiObject, N extends string | undefined = string | undefined> {
  /** Default: that of the parent. */
  readonly name?: string
  /** Default: that of the parent. Kinds without namespaces take none. */
  readonly namespace?: N
  /** Default: what its kind says of itself, e.g. a Deployment by its replicas, custom kinds by a condition Ready. */
  readyWhen?(object: T): boolean
  /** Not applied before these are ready. */
  readonly after?: readonly Child[]
  /** Takes an object over that somebody else made. Default false: the parent then says that it is in the way. */
  readonly adopt?: boolean
}

/** The metadata that an author may give. */
export interface ChildMetadata<N extends string | undefined = string | undefined>
  extends Omit<Partial<ObjectMeta>, 'managedFields' | 'uid' | 'resourceVersion' | 'namespace'> {
  namespace?: N
}

/** What a child shall be. What is left out is not this operator's business. */
export type ChildBody<T, N extends string | undefined = string | undefined> = LooseObject extends T
  ? { metadata?: ChildMetadata<N>; [field: string]: unknown }
  : SentFields<T> & { metadata?: ChildMetadata<N> }

/** The type of a kind, as far as it is an object. */
export type KnownObject<A extends string, K extends string> =
  ObjectOf<A, K> extends infer T extends ApiObject ? T : never

/** What a function may return: falsy entries are left out, so that `wanted && child(...)` can be written. */
export type Children = readonly (Child | EnsuredSecret<unknown> | false | null | undefined | 0 | '')[]
