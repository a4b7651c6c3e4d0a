// What an author's function gets: the object of the run, typed by its schemas, and the ways to look and to act. All of it
// can be taken apart (`({ name, spec, child }) => ...`).

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
import type { Conditions, Duration, EventInput } from '../runtime/run.ts'
import type { EnsuredSecret } from '../secrets/ensured-secret.ts'
import type { SecretTraits } from '../secrets/secret-object.ts'
import type { SecretSchema } from '../secrets/secret-values.ts'
import type { Child, ChildBody, ChildOptions, KnownObject } from './child.ts'

/** Objects of a cluster-scoped kind have no namespace, and whoever asks for it has made a mistake. */
type Placed<TScope extends ResourceScope> = TScope extends 'Cluster' ? object : { readonly namespace: string }

/** What a finalizer gets as well. */
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
  /** Parsed: with defaults and transformations. */
  readonly spec: SpecOf<TSpec>
  /** As it was when the run began. */
  readonly status: StatusOf<TStatus>
  readonly metadata: ResourceMetadata<TScope>
  /** The whole object. Shared: not to be changed. */
  readonly object: ApiObject
  /** Ends when the run takes too long or the operator ends. Hand it to whatever waits. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly conditions: Conditions
  event(event: EventInput): void
  /** Looks at an object, of the parent's namespace unless it is told; a change of it brings the next run. */
  get<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    name: string,
    options?: { readonly namespace?: NamespaceFor<A, K> },
  ): Promise<KnownObject<A, K> | undefined>
  /** The same for all of a kind. Default: of the parent's namespace. */
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
  /** Describes an object that belongs to this one. To be returned; the runtime applies it, watches it and removes it. */
  child<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    body: ChildBody<KnownObject<A, K>, NamespaceFor<A, K>>,
    options?: ChildOptions<KnownObject<A, K>, NamespaceFor<A, K>>,
  ): Child<KnownObject<A, K>>
  readonly needs: Needs
  /**
   * A Secret whose values are made once: they stay the same for as long as it is there, also when somebody else made it.
   * Default: named and placed like the parent.
   */
  secret<S extends SecretSchema>(
    name: string,
    schema: S,
    generate: () => z.input<S> | Promise<z.input<S>>,
    options?: SecretOptions,
  ): Promise<EnsuredSecret<z.output<S>>>
  /** Runs again after so long, whatever happens. The same as `requeueAfter` in what is returned. */
  requeueAfter(duration: Duration): void
}

export interface SecretOptions extends Pick<SecretTraits, 'labels' | 'annotations' | 'type'> {
  readonly namespace?: string
}

/** A kind that an operator or a class of this package defines. */
export interface DefinedKind<TSpec extends SpecSchema, TStatus extends StatusSchema> {
  readonly apiVersion: string
  readonly kind: string
  readonly scope: ResourceScope
  readonly spec: TSpec
  readonly status: TStatus
}

export interface NeedsOptions<T extends ApiObject> {
  /** Default: that of the parent, for kinds with namespaces. */
  readonly namespace?: string
  /** Default: what its kind says of itself. */
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
 * An object that must be there and ready. When it is not, the run ends here as waiting, the parent says what for, and
 * the change it waits for brings the next run.
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
