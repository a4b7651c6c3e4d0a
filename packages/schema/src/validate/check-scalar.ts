// Rules for strings and numbers.

import { invalidValue, tooLong, typeInvalid } from '@homeostat/meta/server'
import type { NumberRules, SchemaNode } from '../compile/schema-node.ts'
import type { Validation } from './validation.ts'

const MAX_SHOWN = 4_096

export function checkString(run: Validation, node: SchemaNode, value: string): void {
  const rules = node.string
  if (rules !== undefined) {
    const { maxLength, minLength, pattern } = rules
    if (maxLength !== undefined && longerThan(value, maxLength)) {
      run.fail(() => tooLong(run.field, maxLength))
    } else if (minLength !== undefined && minLength > 0 && !longerThan(value, minLength - 1)) {
      run.fail(() =>
        invalidValue(run.field, shown(value), `${run.name} in body should be at least ${minLength} chars long`),
      )
    } else if (pattern !== undefined && !run.spend(pattern.cost(value))) {
      run.fail(() => invalidValue(run.field, '', `${run.name} in body takes too long to match '${pattern.source}'`))
    } else if (pattern !== undefined && !pattern.matches(value)) {
      run.fail(() => invalidValue(run.field, shown(value), `${run.name} in body should match '${pattern.source}'`))
    }
  }
  const format = node.format
  if (format?.text !== undefined && !format.text(value)) {
    run.fail(() =>
      typeInvalid(
        run.field,
        shown(value),
        `${run.name} in body must be of type ${format.name}: ${JSON.stringify(shown(value))}`,
      ),
    )
  }
}

/** Shortens a long value, which every message about it would repeat. */
function shown(value: string): string {
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value
}

/** Counts Unicode code points, and only as far as it has to. */
function longerThan(value: string, limit: number): boolean {
  if (value.length <= limit) return false
  if (value.length > limit * 2) return true
  let points = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const pair =
      code >= 0xd800 && code < 0xdc00 && i + 1 < value.length && (value.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    if (pair) i++
    if (++points > limit) return true
  }
  return false
}

/** Formats of numbers, such as int32, only inform clients: Kubernetes does not check their range in custom resources. */
export function checkNumber(run: Validation, node: SchemaNode, value: number | bigint): void {
  if (node.number !== undefined) checkNumberRules(run, node.number, value)
}

function checkNumberRules(run: Validation, rules: NumberRules, value: number | bigint): void {
  const { multipleOf, minimum, maximum } = rules
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    run.fail(() => invalidValue(run.field, value, `${run.name} in body should be a multiple of ${multipleOf}`))
  }
  if (minimum !== undefined && (rules.exclusiveMinimum ? value <= minimum : value < minimum)) {
    const bound = rules.exclusiveMinimum ? 'greater than' : 'greater than or equal to'
    run.fail(() => invalidValue(run.field, value, `${run.name} in body should be ${bound} ${minimum}`))
  }
  if (maximum !== undefined && (rules.exclusiveMaximum ? value >= maximum : value > maximum)) {
    const bound = rules.exclusiveMaximum ? 'less than' : 'less than or equal to'
    run.fail(() => invalidValue(run.field, value, `${run.name} in body should be ${bound} ${maximum}`))
  }
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (factor <= 0) return false
  if (typeof value === 'bigint') {
    return Number.isInteger(factor) ? value % BigInt(factor) === 0n : Number.isSafeInteger(Number(value) / factor)
  }
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0
  return Number.isInteger(factor < 1 ? (1 / factor) * value : value / factor)
}
