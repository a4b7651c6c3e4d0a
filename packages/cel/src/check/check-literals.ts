// Literals that are wrong though their types fit: a pattern, duration or timestamp that cannot be read, a list or map of several types,
// a format that does not fit. Kubernetes refuses them when an expression is written.

import type { Call, Expression, ListLiteral, MapLiteral } from '../syntax/expression.ts'
import type { Issue } from '../syntax/issues.ts'
import type { CelType } from '../types/cel-type.ts'
import { typeText } from '../types/type-text.ts'
import { checkFormat } from './check-format.ts'
import type { Checked } from './checked.ts'
import { isExact } from './unification.ts'

export type LiteralTest = (text: string) => boolean

/** By the names of the functions whose last argument is tested if it is a literal. */
export function checkLiterals(checked: Checked, tests: Readonly<Record<string, LiteralTest>>): Issue[] {
  const checker = new LiteralChecker(checked, tests)
  checker.visit(checked.root, false)
  return checker.issues
}

class LiteralChecker {
  readonly issues: Issue[] = []
  readonly #checked: Checked
  readonly #tests: Readonly<Record<string, LiteralTest>>

  constructor(checked: Checked, tests: Readonly<Record<string, LiteralTest>>) {
    this.#checked = checked
    this.#tests = tests
  }

  /** Below a call of format, lists and maps may hold anything. */
  visit(expression: Expression, isInFormat: boolean): void {
    if (expression.kind === 'list' && !isInFormat) this.#list(expression)
    if (expression.kind === 'map' && !isInFormat) this.#map(expression)
    if (expression.kind === 'call') this.#call(expression)
    const isFormat = isInFormat || (expression.kind === 'call' && expression.name === 'format')
    for (const part of partsOf(expression)) this.visit(part, isFormat)
  }

  #call(call: Call): void {
    const wrong = this.#checked.overloads.get(call.id)?.includes('string_format')
      ? checkFormat(call, this.#checked)
      : undefined
    if (wrong !== undefined) this.issues.push(wrong)
    const test = Object.hasOwn(this.#tests, call.name) ? this.#tests[call.name] : undefined
    const arg = call.args.at(-1)
    if (test === undefined || arg?.kind !== 'literal' || typeof arg.value !== 'string' || test(arg.value)) return
    this.issues.push({ offset: arg.offset, message: `invalid ${call.name} argument` })
  }

  #list({ items, optional }: ListLiteral): void {
    let first: CelType | undefined
    for (const [index, item] of items.entries()) {
      const type = this.#type(item, optional.has(index))
      first ??= type
      if (this.#differs(item, first, type)) return
    }
  }

  #map({ entries }: MapLiteral): void {
    let keys: CelType | undefined
    let values: CelType | undefined
    for (const { key, value, optional } of entries) {
      const [keyType, valueType] = [this.#type(key, false), this.#type(value, optional)]
      keys ??= keyType
      values ??= valueType
      this.#differs(key, keys, keyType)
      this.#differs(value, values, valueType)
    }
  }

  #type(expression: Expression, isOptional: boolean): CelType {
    const type = this.#checked.types[expression.id] as CelType
    return isOptional ? (type.parameters[0] ?? type) : type
  }

  #differs(at: Expression, wanted: CelType, type: CelType): boolean {
    if (isExact(wanted, type)) return false
    this.issues.push({
      offset: at.offset,
      message: `expected type '${typeText(wanted)}' but found '${typeText(type)}'`,
    })
    return true
  }
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand]
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args]
    case 'list':
      return expression.items
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value])
    case 'comprehension':
      return [expression.range, expression.start, expression.condition, expression.step, expression.result]
    default:
      return []
  }
}
