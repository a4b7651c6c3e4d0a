// Compiles the expressions of a ValidatingAdmissionPolicy that is written, and tells what is wrong with them. Those that the
// stored policy has already are let through.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { expressionsOf } from '../../expressions/policy-programs.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'
import { CompiledAhead } from './compiled-ahead.ts'

export class ExpressionChecks {
  readonly #ahead = new CompiledAhead()

  compileAhead(policy: KubeObject, old: KubeObject | undefined): Promise<void> | undefined {
    return isSame(policy, old) ? undefined : this.#ahead.compile(policy, policy.spec)
  }

  /** Of a policy that `compileAhead` has seen. */
  errors(policy: KubeObject, old: KubeObject | undefined): Cause[] {
    if (isSame(policy, old)) return []
    const stored = textsOf(old?.spec)
    return expressionsOf(this.#ahead.take(policy)).flatMap(({ text, path, compiled }) =>
      compiled.problem === undefined || text.trim() === '' || stored.has(text)
        ? []
        : [invalidValue(path, text, compiled.problem)],
    )
  }
}

function isSame(policy: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && deepEqual(policy.spec, old.spec)
}

/** Every expression of a policy. */
function textsOf(spec: unknown): ReadonlySet<string> {
  const { matchConditions, variables, validations, auditAnnotations } = fieldsOf(spec)
  const all = [matchConditions, variables, validations, auditAnnotations].flatMap(listOf).map(fieldsOf)
  return new Set(
    all.flatMap((one) => [one.expression, one.messageExpression, one.valueExpression].map(textOf)).filter(Boolean),
  )
}
