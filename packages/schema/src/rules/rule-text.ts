// A rule as a definition carries it in `x-kubernetes-validations`, read once.

import { isObject } from '@homeostat/meta'
import { type JsonSchema, stringOf } from '../json-schema.ts'

export interface RuleText {
  readonly rule: string
  readonly message: string
  readonly messageExpression: string
  readonly reason: string
  readonly fieldPath: string
  /** Undefined when it is not said. */
  readonly optionalOldSelf: boolean | undefined
}

/** The rules that stand at this schema itself. */
export function ruleTexts(schema: JsonSchema): RuleText[] {
  const rules = schema['x-kubernetes-validations']
  return Array.isArray(rules) ? rules.map((rule) => ruleText(isObject(rule) ? rule : {})) : []
}

function ruleText(given: Record<string, unknown>): RuleText {
  return {
    rule: stringOf(given.rule),
    message: stringOf(given.message),
    messageExpression: stringOf(given.messageExpression),
    reason: stringOf(given.reason),
    fieldPath: stringOf(given.fieldPath),
    optionalOldSelf: typeof given.optionalOldSelf === 'boolean' ? given.optionalOldSelf : undefined,
  }
}

/** How messages call the rule. */
export function ruleName({ rule, message }: RuleText): string {
  return message === '' ? rule.trim() : message.trim()
}

/** What a message says when no expression makes it. */
export function plainMessage(text: RuleText): string {
  return text.message === '' ? `failed rule: ${ruleName(text)}` : text.message.trim()
}
