// Compiles the rules of one schema, whose values are `self`. Whoever checks a definition and whoever checks objects by it calls
// it; it decides nothing about costs.

import {
  type Cel,
  type CelEnvironment,
  type CelProgram,
  type CelType,
  optionalOf,
} from '@homeostat/cel/without-compiler'
import type { JsonSchema } from '../json-schema.ts'
import { relativePath } from './field-path.ts'
import { type RuleText, ruleTexts } from './rule-text.ts'

export interface CompiledRule {
  readonly text: RuleText
  /** Undefined for an empty rule and for one that does not compile. */
  readonly program?: CelProgram
  /** Why the rule does not compile. */
  readonly problem?: string
  readonly message?: CelProgram
  readonly messageProblem?: string
  /** A transition rule: it compares with the value before. */
  readonly usesOldSelf: boolean
  /** The path of the field that it is about, as causes name it; empty for the value itself. */
  readonly field: string
}

/** The rules at this schema, whose values are of the type. A step per rule, since a long one takes a while. */
export function* compileRules(
  schema: JsonSchema,
  type: CelType,
  cel: Cel,
): Generator<undefined, CompiledRule[], undefined> {
  const environments = new Environments(type, cel)
  const compiled: CompiledRule[] = []
  for (const text of ruleTexts(schema)) {
    compiled.push(compileRule(schema, text, environments.of(text)))
    yield
  }
  return compiled
}

class Environments {
  readonly #type: CelType
  readonly #cel: Cel
  #plain: CelEnvironment | undefined
  #optional: CelEnvironment | undefined

  constructor(type: CelType, cel: Cel) {
    this.#type = type
    this.#cel = cel
  }

  of({ optionalOldSelf }: RuleText): CelEnvironment {
    const self = this.#type
    if (optionalOldSelf) {
      this.#optional ??= this.#cel.createEnvironment({ variables: { self, oldSelf: optionalOf(self) } })
      return this.#optional
    }
    this.#plain ??= this.#cel.createEnvironment({ variables: { self, oldSelf: self } })
    return this.#plain
  }
}

function compileRule(schema: JsonSchema, text: RuleText, environment: CelEnvironment): CompiledRule {
  const nothing = { text, usesOldSelf: false, field: '' }
  if (text.rule.trim() === '') return nothing
  const { program, issues } = environment.compile(text.rule)
  if (issues !== undefined) return { ...nothing, problem: `compilation failed: ${issues.text}` }
  if (program.resultType.kind !== 'bool') return { ...nothing, problem: 'cel expression must evaluate to a bool' }
  return {
    text,
    program,
    usesOldSelf: program.variables.has('oldSelf'),
    field: text.fieldPath === '' ? '' : (relativePath(schema, text.fieldPath) ?? ''),
    ...compileMessage(text, environment),
  }
}

function compileMessage({ messageExpression }: RuleText, environment: CelEnvironment) {
  if (messageExpression === '') return {}
  const { program, issues } = environment.compile(messageExpression)
  if (issues !== undefined) return { messageProblem: `messageExpression compilation failed: ${issues.text}` }
  if (program.resultType.kind !== 'string') return { messageProblem: 'messageExpression must evaluate to a string' }
  return { message: program }
}
