// Checks that a configuration can be merged: no unknown fields, no duplicate items, no values of a wrong type. The messages
// are those of Kubernetes, because people search for them.

import { isObject } from '../json/is-object.ts'
import type { ListType, MapType, MergeType, ScalarType } from '../merge/merge-type.ts'
import { goSyntax, goType, goValue } from './go-text.ts'
import { shownElement } from './path-element.ts'
import { type Fields, ItemError, isParted, itemElement, type PartedList } from './typed-value.ts'

/** What is wrong, as one text; undefined when all is well. */
export function configProblem(type: MapType, config: Fields): string | undefined {
  const check = new Check()
  check.fields(type, config)
  const { problems } = check
  if (problems.length < 2) return problems[0]
  return ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
}

/** Bounds the message, in which every error has its whole path. */
const MAX_PROBLEMS = 200

class Check {
  readonly problems: string[] = []
  readonly #path: string[] = []

  fields(type: MapType, fields: Fields): void {
    for (const name in fields) {
      const value = fields[name]
      if (value === undefined) continue
      const field = type.field(name)
      this.#path.push(`f:${name}`)
      if (field === undefined) this.#problem('field not declared in schema')
      else this.#value(field, value)
      this.#path.pop()
      if (field === undefined) return
    }
  }

  #value(type: MergeType, value: unknown): void {
    if (value === null || type.kind === 'any') return
    const problem = problemWith(type, value)
    if (problem !== undefined) this.#problem(problem)
    else if (type.kind === 'map' && isObject(value)) this.fields(type, value)
    else if (type.kind === 'list' && Array.isArray(value)) this.#items(type, value)
  }

  #items(type: ListType, items: readonly unknown[]): void {
    const seen = new Set<string>()
    for (const [index, item] of items.entries()) {
      const element = isParted(type) ? this.#element(type, item, index) : `i:${index}`
      if (element === undefined) return
      if (seen.has(element)) this.#problem(`duplicate entries for key ${shownElement(element, 'value')}`)
      seen.add(element)
      this.#path.push(element)
      this.#value(type.items, item)
      this.#path.pop()
    }
  }

  #element(type: PartedList, item: unknown, index: number): string | undefined {
    try {
      return itemElement(type, item)
    } catch (error) {
      if (!(error instanceof ItemError)) throw error
      this.#problem(`element ${index}: ${error.message}`)
      return undefined
    }
  }

  #problem(message: string): void {
    if (this.problems.length === MAX_PROBLEMS) return
    this.problems.push(`${this.#path.map((element) => shownElement(element, 'value')).join('')}: ${message}`)
  }
}

function problemWith(type: MergeType, value: unknown): string | undefined {
  if (type.kind === 'scalar') return scalarProblem(type, value)
  if (type.kind === 'list') return Array.isArray(value) ? undefined : `expected list, got &{${goValue(value)}}`
  if (type.kind !== 'map' || type.loose || isObject(value)) return undefined
  return `expected map, got &{${goValue(value)}}`
}

function scalarProblem({ scalar }: ScalarType, value: unknown): string | undefined {
  switch (scalar) {
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return undefined
      return `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      if (typeof value === 'string') return undefined
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`
    case undefined:
      return typeof value === 'object' ? `expected any scalar, got &{${goValue(value)}}` : undefined
  }
}
