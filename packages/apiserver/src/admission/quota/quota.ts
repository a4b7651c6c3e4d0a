// A ResourceQuota as the ledger reads it: how much of what it allows, and whose use it counts.

import { type KubeObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { type Fields, fieldsOf, textOf } from '../../builtin/fields-of.ts'
import { items, texts } from '../../builtin/rules/field-checks.ts'
import type { ObjectUsage } from './usage.ts'

export interface Quota {
  readonly name: string
  readonly hard: ReadonlyMap<string, Quantity>
  /** Whether it counts only objects of certain scopes. */
  readonly scoped: boolean
  counts(usage: ObjectUsage): boolean
}

type ScopeTest = (usage: ObjectUsage) => boolean

export function readQuota({ metadata, spec }: KubeObject): Quota {
  const { hard, scopes, scopeSelector } = fieldsOf(spec)
  const tests = [
    ...texts(scopes).map(
      (scope): ScopeTest =>
        (usage) =>
          usage.scopes.has(scope),
    ),
    ...items(fieldsOf(scopeSelector).matchExpressions, '').map(({ item }) => expressionTest(item)),
  ]
  return {
    name: metadata.name ?? '',
    hard: new Map(
      Object.entries(fieldsOf(hard)).flatMap(([name, value]) => {
        const amount = parseQuantity(value)
        return amount === undefined ? [] : [[name, amount] as const]
      }),
    ),
    scoped: tests.length > 0,
    counts: (usage) => tests.every((test) => test(usage)),
  }
}

function expressionTest({ scopeName, operator, values }: Fields): ScopeTest {
  const scope = textOf(scopeName)
  const wanted = texts(values)
  const chosen = (usage: ObjectUsage) => usage.values[scope] ?? ''
  switch (operator) {
    case 'In':
      return (usage) => wanted.includes(chosen(usage))
    case 'NotIn':
      return (usage) => !wanted.includes(chosen(usage))
    case 'DoesNotExist':
      return (usage) => !usage.scopes.has(scope)
    default:
      return (usage) => usage.scopes.has(scope)
  }
}
