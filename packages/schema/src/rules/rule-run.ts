// One evaluation of a schema's rules: the budget that they share, what they found, and when it is time to yield.

import {
  type Evaluation,
  maxMessageBytes,
  perCallCostLimit,
  perObjectCostBudget,
} from '@homeostat/cel/without-compiler'
import { writeJson } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { FieldPath } from '../compile/field-path.ts'
import { MAX_CAUSES } from '../validate/validation.ts'
import type { CompiledRule } from './compile-rule.ts'
import type { Correlation } from './correlation.ts'
import type { RuleNode } from './rule-node.ts'
import { plainMessage, ruleName } from './rule-text.ts'

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run'
const NO_FIELD = '<nil>'

/** So much cost takes a few milliseconds; the event loop is given back after it. */
const COST_PER_STEP = 50_000
/** What an evaluation takes besides its expression, in units of cost. */
const COST_OF_CALL = 20

export interface RuleFindings {
  readonly causes: Cause[]
  /** Failures of parts that did not change: the write is let through, and its sender told. */
  readonly warnings: string[]
}

/** The value of one place, and the one before. */
export interface RuleSubject {
  readonly node: RuleNode
  readonly value: unknown
  /** Undefined when there is nothing to compare with. */
  readonly old: unknown
  /** The nearest value around it, or itself, that can be compared. */
  readonly nearest: Correlation | undefined
}

export interface RuleRunOptions {
  /** Put before the path of each cause. Default: none. */
  readonly prefix?: string
  /** What all rules together may cost. Default: as much as Kubernetes allows. */
  readonly budget?: number
  /** Whether what did not change is let through. Default true. */
  readonly ratchets?: boolean
}

export class RuleRun {
  readonly path = new FieldPath()
  readonly causes: Cause[] = []
  readonly warnings: string[] = []
  readonly #prefix: string
  readonly #ratchets: boolean
  #budget: number
  #sinceStep = 0
  #isOver = false

  constructor({ prefix = '', budget = perObjectCostBudget, ratchets = true }: RuleRunOptions = {}) {
    this.#prefix = prefix
    this.#budget = budget
    this.#ratchets = ratchets
  }

  /** No further rule may run. */
  get isOver(): boolean {
    return this.#isOver || this.causes.length >= MAX_CAUSES
  }

  get budget(): number {
    return this.#budget
  }

  get isStepDue(): boolean {
    if (this.#sinceStep < COST_PER_STEP) return false
    this.#sinceStep = 0
    return true
  }

  findings(): RuleFindings {
    if (this.causes.length < MAX_CAUSES) return this
    const message = `only the first ${MAX_CAUSES} errors are listed`
    return {
      causes: [...this.causes, { reason: 'FieldValueInvalid', field: NO_FIELD, message }],
      warnings: this.warnings,
    }
  }

  check(rule: CompiledRule, subject: RuleSubject): void {
    const { program, text, usesOldSelf } = rule
    const isOptional = text.optionalOldSelf === true
    // Only a definition that was stored before rules were checked can have one.
    if (rule.problem !== undefined) this.#warn(`${this.#field('')}: rule was not checked: ${rule.problem}`)
    if (program === undefined || (usesOldSelf && subject.old === undefined && !isOptional)) return
    const { typeName } = subject.node
    if (this.#budget <= 0) {
      this.#end(invalidValue(this.#field(''), typeName, OUT_OF_BUDGET))
      return
    }
    const bindings = { self: subject.value, oldSelf: subject.old }
    const result = program.evaluate(bindings, perCallCostLimit)
    if (!this.#spend(result)) this.#end(invalidValue(this.#field(''), typeName, OUT_OF_BUDGET))
    else if (result.error !== undefined) this.#failed(rule, typeName, result.error)
    else if (result.value !== true) {
      const detail = this.#message(rule, bindings, subject)
      if (detail !== undefined) this.#add(this.#refusal(rule, subject, detail), rule, subject)
    }
  }

  #spend({ cost }: Evaluation): boolean {
    this.#sinceStep += cost + COST_OF_CALL
    if (cost > this.#budget) return false
    this.#budget -= cost
    return true
  }

  /** The rule has no value; that is told also of what did not change. */
  #failed({ text }: CompiledRule, typeName: string, error: { readonly message: string; readonly code: string }): void {
    const name = ruleName(text)
    const add = (detail: string) => this.causes.push(invalidValue(this.#field(''), typeName, detail))
    if (error.code === 'CostLimitExceeded') {
      add(
        `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`,
      )
      this.#isOver = true
    } else if (error.message.startsWith('no such overload')) {
      const what = 'call arguments did not match a supported operator, function or macro signature for rule'
      add(`'${error.message}': ${what}: ${name}`)
    } else add(`${error.message} evaluating rule: ${name}`)
  }

  /** Undefined when making the message ended the run. */
  #message(rule: CompiledRule, bindings: Readonly<Record<string, unknown>>, subject: RuleSubject): string | undefined {
    const { message, text } = rule
    if (message === undefined) return plainMessage(text)
    const result = message.evaluate(bindings, perCallCostLimit)
    const quoted = writeJson(text.messageExpression)
    const end = (detail: string): undefined => {
      this.#add(invalidValue(this.#field(rule.field), subject.node.typeName, detail), rule, subject)
      this.#isOver = true
    }
    if (!this.#spend(result))
      return end(
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      )
    if (result.error?.code === 'CostLimitExceeded')
      return end(
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoted}`,
      )
    const made = typeof result.value === 'string' ? result.value.trim() : ''
    const isUsable = made !== '' && !made.includes('\n') && utf8Length(made) <= maxMessageBytes
    return isUsable ? made : plainMessage(text)
  }

  #refusal({ text, field }: CompiledRule, { node, value }: RuleSubject, detail: string): Cause {
    const at = this.#field(field)
    const isOmitted = node.typeName === 'object' || node.typeName === 'array'
    switch (text.reason) {
      case 'FieldValueForbidden':
        return forbiddenField(at, detail)
      case 'FieldValueRequired':
        return required(at, detail)
      case 'FieldValueDuplicate':
        return isOmitted ? { reason: text.reason, field: at, message: 'Duplicate value' } : duplicate(at, value)
      default:
        if (!isOmitted) return invalidValue(at, value, detail)
        return { reason: 'FieldValueInvalid', field: at, message: `Invalid value: ${detail}` }
    }
  }

  #add(cause: Cause, { usesOldSelf }: CompiledRule, { nearest }: RuleSubject): void {
    if (usesOldSelf || !this.#ratchets || !nearest?.isUnchanged) this.causes.push(cause)
    else this.#warn(`${cause.field}: ${cause.message}`)
  }

  #warn(text: string): void {
    if (this.warnings.length < MAX_CAUSES) this.warnings.push(text)
  }

  #end(cause: Cause): void {
    this.causes.push(cause)
    this.#isOver = true
  }

  #field(below: string): string {
    const path = this.path.toString()
    return [this.#prefix, path, below].reduce((whole, part) => join(whole, part)) || NO_FIELD
  }
}

function join(whole: string, part: string): string {
  if (whole === '' || part === '') return whole + part
  return part.startsWith('[') ? whole + part : `${whole}.${part}`
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
