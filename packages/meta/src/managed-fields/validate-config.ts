// Checks that a configuration fits its type well enough to be merged: no unknown fields, no item twice, nothing of
// a wrong kind. The texts are Kubernetes' own: people search for them.

import type { MapType, MergeType, ScalarType } from '../merge/merge-type.ts'
import { goSyntax, goType, goValue } from './go-text.ts'
import { shownElement } from './path-element.ts'
import { type Fields, ItemError, isFields, itemElement } from './typed-value.ts'

/** What is wrong, as one text; undefined when all is well. */
export function configProblem(type: MapType, config: Fields): string | undefined {
  const problems: string[] = []
  checkFields(type, config, '', problems)
  if (problems.length < 2) return problems[0]
  return ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
}

function check(type: MergeType, value: unknown, path: string, problems: string[]): void {
  if (value === null || type.kind === 'any') return
  const problem = problemWith(type, value)
  if (problem !== undefined) problems.push(`${path}: ${problem}`)
  else if (type.kind === 'map' && isFields(value)) checkFields(type, value, path, problems)
  else if (type.kind === 'list' && Array.isArray(value)) checkItems(type, value, path, problems)
}

function problemWith(type: MergeType, value: unknown): string | undefined {
  if (type.kind === 'scalar') return scalarProblem(type, value)
  if (type.kind === 'list') return Array.isArray(value) ? undefined : `expected list, got &{${goValue(value)}}`
  if (type.kind !== 'map' || type.loose || isFields(value)) return undefined
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

function checkFields(type: MapType, fields: Fields, path: string, problems: string[]): void {
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined) continue
    const field = type.field(name)
    if (field === undefined) {
      problems.push(`${path}.${name}: field not declared in schema`)
      return
    }
    check(field, value, `${path}.${name}`, problems)
  }
}

function checkItems(
  type: MergeType & { kind: 'list' },
  items: readonly unknown[],
  path: string,
  problems: string[],
): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    let shown = `[${index}]`
    if (type.list !== 'atomic') {
      try {
        const element = itemElement({ ...type, list: type.list, items: type.items }, item)
        shown = shownElement(element, 'value')
        if (seen.has(element)) problems.push(`${path}: duplicate entries for key ${shown}`)
        seen.add(element)
      } catch (error) {
        if (!(error instanceof ItemError)) throw error
        problems.push(`${path}: element ${index}: ${error.message}`)
        return
      }
    }
    check(type.items, item, path + shown, problems)
  }
}
