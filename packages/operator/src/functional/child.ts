// A child as the author describes it: the wanted object, and what a function may ask about it. child-set.ts applies it.

import type { ApiObject, LooseObject, ObjectOf } from '@homeostat/client'
import type { ObjectMeta } from '@homeostat/meta'
import type { SentFields } from '../runtime/secret-text.ts'
import type { EnsuredSecret } from '../secrets/ensured-secret.ts'

export interface Child<out T extends ApiObject = ApiObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /**
   * The child as this reconcile first read it, or as the server last answered; undefined when it does not exist. Do not
   * mutate.
   */
  readonly observed: T | undefined
  /**
   * Applies the child now and returns the stored object. For children built from another child's server-side values;
   * all others are applied after the function returned them.
   */
  applied(): Promise<T>
}

export interface ChildOptions<T extends ApiObject, N extends string | undefined = string | undefined> {
  /** Default: the parent's name. */
  readonly name?: string
  /** Default: the parent's namespace. Cluster-scoped kinds have none. */
  readonly namespace?: N
  /** Default: by kind, e.g. a Deployment by its replicas, a custom kind by its Ready condition. */
  readyWhen?(object: T): boolean
  /** Applies this child only when these are ready. */
  readonly after?: readonly Child[]
  /** Takes over an object that another program created. Default false: the parent reports `AlreadyExists`. */
  readonly adopt?: boolean
}

/** The metadata that an author may set. */
export interface ChildMetadata<N extends string | undefined = string | undefined>
  extends Omit<Partial<ObjectMeta>, 'managedFields' | 'uid' | 'resourceVersion' | 'namespace'> {
  namespace?: N
}

/** The wanted object. This operator does not own the fields that are left out. */
export type ChildBody<T, N extends string | undefined = string | undefined> = LooseObject extends T
  ? { metadata?: ChildMetadata<N>; [field: string]: unknown }
  : SentFields<T> & { metadata?: ChildMetadata<N> }

/** The object type of the kind. */
export type KnownObject<A extends string, K extends string> =
  ObjectOf<A, K> extends infer T extends ApiObject ? T : never

/** What a function may return. Falsy entries are skipped, so that `wanted && child(...)` works. */
export type Children = readonly (Child | EnsuredSecret<unknown> | false | null | undefined | 0 | '')[]
