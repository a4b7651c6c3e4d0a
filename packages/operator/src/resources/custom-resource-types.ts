// The types that an author's schemas give to a custom resource.

import type { Condition, Duration, ObjectMeta } from '@homeostat/meta'
import type { z } from 'zod'

export type ResourceScope = 'Namespaced' | 'Cluster'

export type SpecSchema = z.ZodObject

/** Undefined: the status has conditions, and whatever is patched into it. */
export type StatusSchema = z.ZodObject | undefined

/** The spec after parsing: with defaults and transformations. */
export type SpecOf<S extends SpecSchema> = z.output<S>

/** What every status has. */
export interface CommonStatus {
  observedGeneration?: number
  conditions?: Condition[]
}

/** The status as it is read; any field may not have been written yet. */
export type StatusOf<S extends StatusSchema> = S extends z.ZodObject
  ? Partial<z.output<S>> & CommonStatus
  : CommonStatus & { [field: string]: unknown }

/** What may be written into the status. Conditions have their own way. */
export type StatusPatch<S extends StatusSchema> = S extends z.ZodObject
  ? { [F in keyof Omit<z.input<S>, 'conditions' | 'observedGeneration'>]?: z.input<S>[F] | undefined }
  : { readonly [field: string]: unknown }

/**
 * What a method of a class may return. The compiler infers the type of a method before it looks at the class above, and
 * sees any text in `{ requeueAfter: '10m' }`; what is no duration fails the run.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type MethodOutcome = { readonly requeueAfter?: Duration | string } | void

export type NamespaceOf<S extends ResourceScope> = S extends 'Cluster' ? undefined : string

/** The metadata of an object that came from a server. */
export type ResourceMetadata<S extends ResourceScope> = Omit<ObjectMeta, 'name' | 'namespace' | 'uid'> & {
  readonly name: string
  readonly namespace: NamespaceOf<S>
  readonly uid: string
}
