// Rules in CEL that a schema carries in x-kubernetes-validations, and how names are written in them.

import { isObject, writeJson } from '@homeostat/meta'
import type { JsonSchema } from '../json-schema.ts'

export interface CelRule {
  rule: string
  message?: string
}

export function addRule(node: JsonSchema, rule: CelRule): JsonSchema {
  const rules = rulesOf(node)
  const known = rules.some((one) => isObject(one) && one.rule === rule.rule)
  return known ? node : { ...node, 'x-kubernetes-validations': [...rules, { ...rule }] }
}

export function rulesOf(node: JsonSchema): unknown[] {
  const rules = node['x-kubernetes-validations']
  return Array.isArray(rules) ? rules : []
}

const keywords = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void
  while`.split(/\s+/),
)

/** A field's name as expressions write it; undefined when they cannot reach it. */
export function celName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

/** A text as a literal: the escapes of JSON are escapes of CEL. */
export function celText(value: unknown): string {
  return writeJson(value)
}
