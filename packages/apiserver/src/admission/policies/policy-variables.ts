// The `variables` of a policy while it is evaluated: each is evaluated when an expression first reads it, at the expense of the
// decision, and no second time.

import { CelError } from '@homeostat/cel/without-compiler'
import { writeJson } from '@homeostat/meta'
import type { Budget } from '../../expressions/budget.ts'
import type { PolicyExpression } from '../../expressions/policy-programs.ts'

/** Bind it to `variables`. `bindings` gives what the expressions of variables read, this object among it. */
export function policyVariables(
  variables: readonly PolicyExpression[],
  bindings: () => Readonly<Record<string, unknown>>,
  budget: () => Budget,
): object {
  const values = {}
  for (const variable of variables) {
    let evaluated: { readonly value: unknown } | { readonly error: CelError } | undefined
    Object.defineProperty(values, variable.name, {
      enumerable: true,
      get() {
        evaluated ??= evaluate(variable, bindings(), budget())
        if ('error' in evaluated) throw evaluated.error
        return evaluated.value
      },
    })
  }
  return values
}

function evaluate(
  { name, compiled }: PolicyExpression,
  bindings: Readonly<Record<string, unknown>>,
  budget: Budget,
): { readonly value: unknown } | { readonly error: CelError } {
  const named = `composited variable ${writeJson(name)}`
  const { program, problem } = compiled
  if (problem !== undefined) return { error: new CelError(`${named} fails to compile: ${problem}`) }
  const { value, error, cost } = program.evaluate(bindings)
  budget.spend(cost)
  return error === undefined
    ? { value }
    : { error: new CelError(`${named} fails to evaluate: ${error.message}`, error.code) }
}
