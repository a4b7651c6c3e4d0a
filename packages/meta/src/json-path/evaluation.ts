// One run of a JSON path over one document. Work is bounded: after a number of visits no more results are found,
// so that `..` upon `..` over a large object ends soon.

import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Operand, Operator, Step } from './step.ts'

const MAX_VISITS = 100_000

export class Evaluation {
  readonly #document: JsonValue
  #visits = 0

  constructor(document: JsonValue) {
    this.#document = document
  }

  run(steps: readonly Step[]): JsonValue[] {
    return this.#walk(this.#document, steps)
  }

  #walk(from: JsonValue, steps: readonly Step[]): JsonValue[] {
    this.#visits++
    let values: JsonValue[] = from === undefined ? [] : [from]
    for (const step of steps) {
      const next: JsonValue[] = []
      for (const value of values) {
        if (this.#visits > MAX_VISITS) break
        const before = next.length
        this.#take(value, step, next)
        this.#visits += 1 + next.length - before
      }
      values = next
    }
    return values
  }

  #take(value: JsonValue, step: Step, into: JsonValue[]): void {
    switch (step.kind) {
      case 'field':
        if (isObject(value) && Object.hasOwn(value, step.name)) push(value[step.name], into)
        return
      case 'index':
        if (Array.isArray(value)) push(value.at(step.index), into)
        return
      case 'slice':
        if (Array.isArray(value)) takeSlice(value, step, into)
        return
      case 'wildcard':
        for (const child of children(value)) push(child, into)
        return
      case 'recursive':
        this.#descend(value, into)
        return
      case 'union':
        for (const path of step.paths) {
          if (this.#visits > MAX_VISITS) return
          for (const found of this.#walk(value, path)) into.push(found)
        }
        return
      case 'filter':
        if (Array.isArray(value)) for (const item of value) if (this.#keeps(item, step)) into.push(item)
    }
  }

  #descend(value: JsonValue, into: JsonValue[]): void {
    if (++this.#visits > MAX_VISITS || typeof value !== 'object' || value === null) return
    into.push(value)
    for (const child of children(value)) this.#descend(child, into)
  }

  #keeps(item: JsonValue, { left, comparison }: Extract<Step, { kind: 'filter' }>): boolean {
    if (++this.#visits > MAX_VISITS) return false
    const lefts = this.#operand(left, item)
    if (!comparison) return lefts.length > 0
    const rights = this.#operand(comparison.right, item)
    if (lefts.length !== 1 || rights.length !== 1) return false
    return compare(lefts[0], comparison.operator, rights[0])
  }

  #operand(operand: Operand, item: JsonValue): JsonValue[] {
    if (operand.kind === 'literal') return [operand.value]
    return this.#walk(operand.from === 'item' ? item : this.#document, operand.steps)
  }
}

function takeSlice(array: JsonValue[], { start, end, by }: Extract<Step, { kind: 'slice' }>, into: JsonValue[]): void {
  const part = array.slice(start, end)
  for (let at = 0; at < part.length; at += by) push(part[at], into)
}

/** Values of different types are not equal, and have no order. */
function compare(left: JsonValue | undefined, operator: Operator, right: JsonValue | undefined): boolean {
  const numbers = isNumber(left) && isNumber(right)
  const comparable = numbers || (typeof left === typeof right && typeof left !== 'object' && left !== undefined)
  if (!comparable) return operator === '!=' && left !== right
  // Loose equality, so that 1n equals 1; both sides are numbers or of one type.
  // biome-ignore lint/suspicious/noDoubleEquals: see above
  if (operator === '==' || operator === '!=') return (left == right) === (operator === '==')
  if (left === null || right === null || left === undefined || right === undefined) return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

function children(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function push(value: JsonValue | undefined, into: JsonValue[]): void {
  if (value !== undefined) into.push(value)
}
