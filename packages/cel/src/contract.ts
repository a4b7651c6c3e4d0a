// What users of the package hold in their hands: an environment, the program that it compiles, and the outcome of an evaluation.

import type { CelError } from './cel-error.ts'
import type { Re2 } from './re2.ts'
import type { CompileIssues } from './syntax/issues.ts'
import type { CelType } from './types/cel-type.ts'

/** What compiles expressions and patterns. It is large, so that whoever may do without is handed it. */
export interface Cel {
  createEnvironment(options: EnvironmentOptions): CelEnvironment
  /** Throws when the source does not compile. */
  compileRe2(source: string): Re2
}

export interface EnvironmentOptions {
  /** The variables by name. The only thing in which rules of definitions and policies differ. */
  readonly variables: Readonly<Record<string, CelType>>
  /** `kubernetes`, the default, is what Kubernetes 1.35 knows; `all` adds the functions that only CEL's own libraries have. */
  readonly libraries?: 'kubernetes' | 'all'
}

export interface CelEnvironment {
  compile(text: string): Compilation
}

export type Compilation =
  | { readonly program: CelProgram; readonly issues?: never }
  | { readonly program?: never; readonly issues: CompileIssues }

export interface CostEstimate {
  readonly min: number
  /** The worst case with the declared sizes; at most 2^64. */
  readonly max: number
}

export interface CelProgram {
  readonly resultType: CelType
  /** The declared variables that it reads: a rule with `oldSelf` here is a transition rule. */
  readonly variables: ReadonlySet<string>
  readonly cost: CostEstimate
  /**
   * Never throws. Bindings are JSON values as our reader makes them, read where the expression looks and typed as declared; a getter of
   * an object is called at each read and may throw a CelError. A variable that is not bound is an error where it is read.
   * The limit, `perCallCostLimit` unless given, stops it within one step.
   */
  evaluate(bindings: Readonly<Record<string, unknown>>, limit?: number): Evaluation
}

export type Evaluation =
  | { readonly value: unknown; readonly error?: never; readonly cost: number }
  | { readonly value?: never; readonly error: CelError; readonly cost: number }
