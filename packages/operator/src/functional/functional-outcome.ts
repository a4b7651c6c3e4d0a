// What the function of an author returns: children, or children with a status and the time of the next run.

import type { StatusPatch, StatusSchema } from '../resources/custom-resource-types.ts'
import type { Duration } from '../runtime/run.ts'
import type { Children } from './child.ts'

/** All fields of the status: what is left out goes. Conditions have their own way. */
export type ReturnedStatus<TStatus extends StatusSchema> = StatusPatch<TStatus>

export interface FunctionalResult<TStatus extends StatusSchema> {
  /** All children that shall be there: what earlier runs made and is not among them goes. */
  readonly children?: Children
  readonly status?: ReturnedStatus<TStatus>
  readonly requeueAfter?: Duration
}

// A function without a return is assignable to one that returns `void`, not to one that returns `undefined`.
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type FunctionalOutcome<TStatus extends StatusSchema> = Children | FunctionalResult<TStatus> | void
