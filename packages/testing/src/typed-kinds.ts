// The types of objects in a test: by the schemas of the operators in `definitions`, and of the kinds that the client
// knows.

import type { ApiObject, Client, ObjectMeta, ObjectName, ResourceClient } from '@homeostat/client'
import type { Duration } from '@homeostat/meta'
import type { Controlled, KnownObject, SpecSchema, StatusOf, StatusSchema } from '@homeostat/operator'
import type { z } from 'zod'

/** Operators, or CustomResourceDefinitions as objects. */
export type Definitions = readonly (Controlled | ApiObject)[]

type ApiVersions<D extends Definitions> = D[number]['apiVersion']
type Kinds<D extends Definitions, A> = Extract<D[number], { apiVersion: A }>['kind']

/** An object as stored: the spec as the user writes it, the status possibly incomplete. */
interface DefinedObject<A, K, S extends SpecSchema, U extends StatusSchema> {
  apiVersion: A
  kind: K
  metadata: ObjectMeta
  spec: z.input<S>
  status?: StatusOf<U>
}

type ObjectIn<D extends Definitions, A extends string, K extends string> =
  Extract<D[number], { apiVersion: A; kind: K }> extends {
    spec: infer S extends SpecSchema
    status: infer U extends StatusSchema
  }
    ? DefinedObject<A, K, S, U>
    : KnownObject<A, K>

/** A client that also knows the kinds of these definitions. */
export type TypedClient<D extends Definitions> = {
  resource<const A extends ApiVersions<D>, const K extends Kinds<D, A>>(
    apiVersion: A,
    kind: K,
  ): ResourceClient<ObjectIn<D, A, K>>
} & Client

export type TypedUntil<D extends Definitions> = <const A extends ApiVersions<D>, const K extends Kinds<D, A>>(
  ref: ObjectName & { readonly apiVersion: A; readonly kind: K },
  wanted: (object: ObjectIn<D, A, K>) => boolean,
  timeout?: Duration,
) => Promise<ObjectIn<D, A, K>>
