// What an author's function receives: the object, typed by its schemas, and the functions to read and act. It can be
// destructured (`({ name, spec, child }) => ...`).

import type { Clock, Log } from '@homeostat/base'
import type { ApiObject, KindName, NamespaceFor } from '@homeostat/client'
import type { z } from 'zod'
import type {
  ResourceMetadata,
  ResourceScope,
  SpecOf,
  SpecSchema,
  StatusOf,
  StatusSchema,
} from '../resources/custom-resource-types.ts'
import type { Conditions, Duration, EventInput } from '../runtime/reconcile-context.ts'
import type { EnsuredSecret } from '../secrets/ensured-secret.ts'
import type { SecretTraits } from '../secrets/secret-object.ts'
import type { SecretSchema } from '../secrets/secret-values.ts'
import type { Child, ChildBody, ChildOptions, KnownObject } from './child.ts'

/** A cluster-scoped kind has no namespace: reading it is a type error. */
type Placed<TScope extends ResourceScope> = TScope extends 'Cluster' ? object : { readonly namespace: string }

/** The part of the context that a finalizer receives as well. */
export type FinalizeContext<
  TSpec extends SpecSchema = SpecSchema,
  TStatus extends StatusSchema = StatusSchema,
  TScope extends ResourceScope = ResourceScope,
> = FinalizeParts<TSpec, TStatus, TScope> & Placed<TScope>

export type Context<
  TSpec extends SpecSchema = SpecSchema,
  TStatus extends StatusSchema = StatusSchema,
  TScope extends ResourceScope = ResourceScope,
> = ContextParts<TSpec, TStatus, TScope> & Placed<TScope>

interface FinalizeParts<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope> {
  readonly name: string
  /** Parsed by Zod, with defaults and transformations. */
  readonly spec: SpecOf<TSpec>
  /** The status when the reconcile began. */
  readonly status: StatusOf<TStatus>
  readonly metadata: ResourceMetadata<TScope>
  /** The whole object. Shared with the cache: do not mutate. */
  readonly object: ApiObject
  /** Aborts on timeout, on shutdown and when leadership is lost. Pass it to every call that waits. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly conditions: Conditions
  event(event: EventInput): void
  /** Reads an object, by default in the parent's namespace; a change of it queues the parent. */
  get<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    name: string,
    options?: { readonly namespace?: NamespaceFor<A, K> },
  ): Promise<KnownObject<A, K> | undefined>
  /** Lists the objects of a kind, by default in the parent's namespace; a change of the list queues the parent. */
  list<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    options?: ListSelection,
  ): Promise<KnownObject<A, K>[]>
}

export interface ListSelection {
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly labels?: Readonly<Record<string, string>>
}

interface ContextParts<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope>
  extends FinalizeParts<TSpec, TStatus, TScope> {
  /** Describes a child. Return it: the runtime applies it, watches it and prunes it. */
  child<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    body: ChildBody<KnownObject<A, K>, NamespaceFor<A, K>>,
    options?: ChildOptions<KnownObject<A, K>, NamespaceFor<A, K>>,
  ): Child<KnownObject<A, K>>
  readonly needs: Needs
  /**
   * A Secret whose values are generated once and kept for as long as it exists, even if another program created it.
   * Namespace defaults to the parent's.
   */
  secret<S extends SecretSchema>(
    name: string,
    schema: S,
    generate: () => z.input<S> | Promise<z.input<S>>,
    options?: SecretOptions,
  ): Promise<EnsuredSecret<z.output<S>>>
  /** Queues the object again after this time. Same as returning `requeueAfter`. */
  requeueAfter(duration: Duration): void
}

export interface SecretOptions extends Pick<SecretTraits, 'labels' | 'annotations' | 'type'> {
  readonly namespace?: string
}

/** A kind that `operator()` or `createCustomResourceDefinition()` defines. */
export interface DefinedKind<TSpec extends SpecSchema, TStatus extends StatusSchema> {
  readonly apiVersion: string
  readonly kind: string
  readonly scope: ResourceScope
  readonly spec: TSpec
  readonly status: TStatus
}

export interface NeedsOptions<T extends ApiObject> {
  /** Default: the parent's namespace, for namespaced kinds. */
  readonly namespace?: string
  /** Default: by kind; see readiness.ts. */
  readyWhen?(object: T): boolean
}

export interface Needed<TSpec extends SpecSchema, TStatus extends StatusSchema> {
  readonly name: string
  readonly spec: SpecOf<TSpec>
  readonly status: StatusOf<TStatus>
  readonly metadata: ApiObject['metadata']
  readonly object: ApiObject
}

/**
 * Returns an object that must exist and be ready. Otherwise the reconcile ends as waiting, the parent reports what it
 * waits for, and a change of that object queues the parent.
 */
export interface Needs {
  <TSpec extends SpecSchema, TStatus extends StatusSchema>(
    definition: DefinedKind<TSpec, TStatus>,
    name: string,
    options?: NeedsOptions<ApiObject>,
  ): Promise<Needed<TSpec, TStatus>>
  <const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    name: string,
    options?: NeedsOptions<KnownObject<A, K>>,
  ): Promise<KnownObject<A, K>>
}
