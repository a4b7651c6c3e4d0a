// Compiles the rules of a definition's schema and tells which do not parse, do not fit the types, or cost too much. A schema
// with other errors is not judged at that place: types that are wrong make messages that nobody can use.

import { type Cel, maxCardinality } from '@homeostat/cel/without-compiler'
import { writeJson } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import type { JsonSchema } from '../json-schema.ts'
import { type CompiledRule, compileRules } from '../rules/compile-rule.ts'
import type { RuleText } from '../rules/rule-text.ts'
import { RuleCosts, timesCardinality } from './rule-costs.ts'
import type { RuleScope } from './rule-scope.ts'
import type { Steps } from './schema-walk.ts'

export class RuleReport {
  readonly #cel: Cel | undefined
  readonly #causes: Cause[] = []
  readonly #costs = new RuleCosts()

  /** Without `cel`, `check` must not be called. */
  constructor(cel: Cel | undefined) {
    this.#cel = cel
  }

  /** What was found, and what is too much altogether, which is told of the path. */
  causes(path: string): Cause[] {
    return [...this.#causes, ...this.#costs.judgeAll(path)]
  }

  *check(schema: JsonSchema, path: string, scope: RuleScope): Steps<void> {
    const at = `${path}.x-kubernetes-validations`
    const { type } = scope
    if (type === undefined) {
      const why = 'unable to convert structural schema to CEL declarations'
      const text = `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`
      this.#causes.push({ reason: 'InternalError', field: at, message: `Internal error: ${text}` })
      return
    }
    const cardinality = scope.cardinality ?? maxCardinality(type)
    if (this.#cel === undefined) throw new Error('rules are judged without CEL')
    const rules = yield* compileRules(schema, type, this.#cel)
    for (const [index, rule] of rules.entries()) this.#judge(rule, `${at}[${index}]`, cardinality, scope)
  }

  #judge(rule: CompiledRule, at: string, cardinality: number, { uncorrelatable }: RuleScope): void {
    const { program, problem, message, messageProblem, text } = rule
    const causes = this.#causes
    if (program)
      causes.push(...this.#costs.judge(`${at}.rule`, 'rule', timesCardinality(program.cost.max, cardinality)))
    if (problem !== undefined) causes.push(refusal(`${at}.rule`, text, problem))
    if (messageProblem !== undefined) causes.push(refusal(`${at}.messageExpression`, text, messageProblem))
    if (message) causes.push(...this.#costs.judge(`${at}.messageExpression`, 'messageExpression', message.cost.max))
    if (rule.usesOldSelf) {
      if (uncorrelatable === undefined) return
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
      causes.push(invalidValue(`${at}.rule`, text.rule, detail))
    } else if (text.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule'
      causes.push(invalidValue(`${at}.optionalOldSelf`, text.optionalOldSelf, detail))
    }
  }
}

/** Shows the rule as kube-apiserver does: as Go writes its structure in JSON. */
function refusal(field: string, text: RuleText, detail: string): Cause {
  const shown = {
    Rule: text.rule,
    Message: text.message,
    MessageExpression: text.messageExpression,
    Reason: text.reason === '' ? null : text.reason,
    FieldPath: text.fieldPath,
    OptionalOldSelf: text.optionalOldSelf ?? null,
  }
  const escaped = writeJson(shown).replace(/[<>&\u2028\u2029]/g, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${escaped}: ${detail}` }
}
