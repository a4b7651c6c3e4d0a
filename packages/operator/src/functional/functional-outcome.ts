// What an author's function returns: children, or children with a status and the delay of the next reconcile.

import type { StatusPatch, StatusSchema } from '../resources/custom-resource-types.ts'
import type { Duration } from '../runtime/reconcile-context.ts'
import type { Children } from './child.ts'

/** The whole status: fields that are left out are removed. Conditions are set separately. */
export type ReturnedStatus<TStatus extends StatusSchema> = StatusPatch<TStatus>

export interface FunctionalResult<TStatus extends StatusSchema> {
  /** All children that must exist: those of earlier reconciles that are not among them are pruned. */
  readonly children?: Children
  readonly status?: ReturnedStatus<TStatus>
  readonly requeueAfter?: Duration
}

// A function without a return is assignable to one that returns `void`, not to one that returns `undefined`.
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type FunctionalOutcome<TStatus extends StatusSchema> = Children | FunctionalResult<TStatus> | void
