// The types of a custom resource, derived from the author's schemas.

import type { Condition, Duration, ObjectMeta } from '@homeostat/meta'
import type { z } from 'zod'

export type ResourceScope = 'Namespaced' | 'Cluster'

export type SpecSchema = z.ZodObject

/** Undefined: the status has conditions and accepts any field. */
export type StatusSchema = z.ZodObject | undefined

/** The spec after parsing, with defaults and transformations. */
export type SpecOf<S extends SpecSchema> = z.output<S>

/** The fields of every status. */
export interface CommonStatus {
  observedGeneration?: number
  conditions?: Condition[]
}

/** The status as read; any field may still be missing. */
export type StatusOf<S extends StatusSchema> = S extends z.ZodObject
  ? Partial<z.output<S>> & CommonStatus
  : CommonStatus & { [field: string]: unknown }

/** The fields that may be written. Conditions are set separately. */
export type StatusPatch<S extends StatusSchema> = S extends z.ZodObject
  ? { [F in keyof Omit<z.input<S>, 'conditions' | 'observedGeneration'>]?: z.input<S>[F] | undefined }
  : { readonly [field: string]: unknown }

/**
 * What a method of a class may return. The compiler infers a method's type before it looks at the base class and widens
 * `'10m'` in `{ requeueAfter: '10m' }` to string, so a value that is not a duration fails at run time.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type MethodOutcome = { readonly requeueAfter?: Duration | string } | void

export type NamespaceOf<S extends ResourceScope> = S extends 'Cluster' ? undefined : string

/** The metadata of an object that the server returned. */
export type ResourceMetadata<S extends ResourceScope> = Omit<ObjectMeta, 'name' | 'namespace' | 'uid'> & {
  readonly name: string
  readonly namespace: NamespaceOf<S>
  readonly uid: string
}
