// Compiles the expressions of a ValidatingAdmissionPolicy that is written, and tells what is wrong with them. Those that the
// stored policy has already are let through.

import { yieldBetween } from '@homeostat/base'
import { deepEqual, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { compilePolicy, expressionsOf, type PolicyPrograms } from '../../expressions/policy-programs.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'

export class ExpressionChecks {
  /** What was compiled in turns, until validation asks for it. */
  readonly #ahead = new WeakMap<KubeObject, PolicyPrograms>()

  async checkAhead(policy: KubeObject, old: KubeObject | undefined): Promise<void> {
    if (isSame(policy, old)) return
    this.#ahead.set(policy, await yieldBetween(compilePolicy(policy.spec)))
  }

  errors(policy: KubeObject, old: KubeObject | undefined): Cause[] {
    if (isSame(policy, old)) return []
    const programs = this.#ahead.get(policy) ?? compileNow(policy)
    this.#ahead.delete(policy)
    const stored = textsOf(old?.spec)
    return expressionsOf(programs).flatMap(({ text, path, compiled }) =>
      compiled.problem === undefined || text.trim() === '' || stored.has(text)
        ? []
        : [invalidValue(path, text, compiled.problem)],
    )
  }
}

function isSame(policy: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && deepEqual(policy.spec, old.spec)
}

function compileNow({ spec }: KubeObject): PolicyPrograms {
  const steps = compilePolicy(spec)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Every expression of a policy. */
function textsOf(spec: unknown): ReadonlySet<string> {
  const { matchConditions, variables, validations, auditAnnotations } = fieldsOf(spec)
  const all = [matchConditions, variables, validations, auditAnnotations].flatMap(listOf).map(fieldsOf)
  return new Set(
    all.flatMap((one) => [one.expression, one.messageExpression, one.valueExpression].map(textOf)).filter(Boolean),
  )
}
