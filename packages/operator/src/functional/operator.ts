// `operator('ex.io/v1/Site', { spec, status }, fn)`: a kind and what is done about its objects, in one expression.

import { type CustomResourceDefinition, describeDefinition } from '../definition/definition-manifest.ts'
import type { KindNames } from '../definition/kind-names.ts'
import type { ResourceScope, SpecSchema, StatusSchema } from '../resources/custom-resource-types.ts'
import { withInventory } from '../resources/inventory-schema.ts'
import type { Controlled } from '../runtime/controlled.ts'
import type { Outcome } from '../runtime/run.ts'
import type { Context, DefinedKind, FinalizeContext } from './context.ts'
import { FunctionalBehaviour } from './functional-behaviour.ts'
import type { FunctionalOutcome } from './functional-outcome.ts'
import { type ApiVersionIn, type KindIn, type KindText, readKindText } from './kind-text.ts'
import type { PruneGuard } from './prune-plan.ts'

export interface OperatorOptions<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope>
  extends Pick<Controlled, 'watches' | 'predicate' | 'select' | 'resync' | 'timeout'> {
  readonly spec: TSpec
  /** Without it the status keeps whatever is returned. */
  readonly status?: TStatus
  /** Default: by English rules from the kind. */
  readonly names?: KindNames
  /** Default Namespaced. */
  readonly scope?: TScope
  /** How many children may go at once. Default: any ten, and beyond that at most half of them. */
  readonly pruneGuard?: PruneGuard | false
  /** Children that are applied at the same time. Default 8. */
  readonly parallel?: number
}

export interface OperatorEnds<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope> {
  /** Runs before the object goes, until it succeeds. Being there adds a finalizer. */
  finalize?(context: FinalizeContext<TSpec, TStatus, TScope>): Outcome | Promise<Outcome>
}

export interface OperatorDefinition<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
  TKind extends string = string,
> extends Controlled,
    DefinedKind<TSpec, TStatus> {
  readonly apiVersion: ApiVersionIn<TKind>
  readonly kind: KindIn<TKind>
  readonly scope: TScope
  readonly definition: CustomResourceDefinition
}

export function operator<
  const TKind extends string,
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
>(
  kindText: KindText<TKind>,
  options: OperatorOptions<TSpec, TStatus, TScope>,
  reconcile: (
    context: Context<TSpec, TStatus, TScope>,
  ) => FunctionalOutcome<TStatus> | Promise<FunctionalOutcome<TStatus>>,
  ends: OperatorEnds<TSpec, TStatus, TScope> = {},
): OperatorDefinition<TSpec, TStatus, TScope, TKind> {
  const { group, version, kind } = readKindText(kindText)
  const { spec, names, pruneGuard, parallel, ...controlled } = options
  const scope = (options.scope ?? 'Namespaced') as TScope
  const status = options.status as TStatus
  const described = { group, version, kind, names, scope, spec, status: status && withInventory(status, kind) }
  const { manifest, warnings } = describeDefinition(described)
  return {
    ...controlled,
    apiVersion: `${group}/${version}` as ApiVersionIn<TKind>,
    kind: kind as KindIn<TKind>,
    scope,
    spec,
    status,
    definition: manifest,
    createBehaviour(cluster) {
      for (const warning of warnings) cluster.log.warn({ kind }, warning)
      return new FunctionalBehaviour({
        cluster,
        spec,
        status,
        // The types of the author's schemas end here; behind it every spec and status is unknown.
        reconcile: reconcile as unknown as (
          context: Context,
        ) => FunctionalOutcome<undefined> | Promise<FunctionalOutcome<undefined>>,
        finalize: ends.finalize as unknown as OperatorEnds<SpecSchema, StatusSchema, ResourceScope>['finalize'],
        pruneGuard: pruneGuard ?? {},
        parallel: parallel ?? 8,
      })
    },
  }
}
