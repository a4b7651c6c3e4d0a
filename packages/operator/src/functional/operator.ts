// `operator('ex.io/v1/Site', { spec, status }, fn)`: defines a kind and its reconcile function in one expression.

import type { CustomResourceDefinition } from '../definition/definition-manifest.ts'
import type { KindNames } from '../definition/kind-names.ts'
import type { AdmissionFunctions } from '../resources/admission.ts'
import type { ResourceScope, SpecSchema, StatusSchema } from '../resources/custom-resource-types.ts'
import { describeKind } from '../resources/described-kind.ts'
import type { OlderVersion } from '../resources/older-version.ts'
import type { Controlled } from '../runtime/controlled.ts'
import type { Outcome } from '../runtime/reconcile-context.ts'
import type { Context, DefinedKind, FinalizeContext } from './context.ts'
import { FunctionalBehaviour } from './functional-behaviour.ts'
import type { FunctionalOutcome } from './functional-outcome.ts'
import { type ApiVersionIn, type KindIn, type KindText, readKindText } from './kind-text.ts'
import type { PruneGuard } from './prune-plan.ts'

export interface OperatorOptions<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope>
  extends Pick<Controlled, 'watches' | 'predicate' | 'select' | 'resync' | 'timeout' | 'children' | 'access'> {
  readonly spec: TSpec
  /** Without it the status accepts any field. */
  readonly status?: TStatus
  /** Default: derived from the kind by English rules. */
  readonly names?: KindNames
  /** Default Namespaced. */
  readonly scope?: TScope
  /** How many children one reconcile may prune. Default: up to ten; more only if they are at most half of all. */
  readonly pruneGuard?: PruneGuard | false
  /**
   * Older versions of the kind, from the newest to the oldest, made by `olderVersion()`. They are served, and converted by a
   * webhook of this program; objects are stored in the version of the kind itself.
   */
  readonly versions?: Readonly<Record<string, OlderVersion>>
  /** Number of children applied in parallel. Default 8. */
  readonly parallel?: number
}

/** What stands beside the reconcile function. */
export interface OperatorEnds<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope>
  extends AdmissionFunctions<TSpec> {
  /** Runs on deletion, with retries until it succeeds. Its presence adds a finalizer. */
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
  const { spec, names, pruneGuard, parallel, versions, ...controlled } = options
  const scope = (options.scope ?? 'Namespaced') as TScope
  const status = options.status as TStatus
  const parts = { group, version, kind, names, scope, spec, status, versions }
  const { manifest, warnings, answers } = describeKind({ ...parts, ...ends })
  return {
    ...controlled,
    apiVersion: `${group}/${version}` as ApiVersionIn<TKind>,
    kind: kind as KindIn<TKind>,
    scope,
    spec,
    status,
    definition: manifest,
    ...answers,
    createBehaviour(cluster) {
      for (const warning of warnings) cluster.log.warn({ kind }, warning)
      return new FunctionalBehaviour({
        cluster,
        spec,
        status,
        // The author's types end here; the runtime sees spec and status as unknown.
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
