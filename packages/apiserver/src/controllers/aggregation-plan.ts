// The rules of an aggregated ClusterRole. Pure.

import { deepEqual, type KubeObject, selectorOf } from '@homeostat/meta'
import { fieldsOf, listOf } from '../builtin/fields-of.ts'

/** The rules that the role should have; undefined when it has them already or is not aggregated. */
export function aggregatedRules(role: KubeObject, all: readonly KubeObject[]): unknown[] | undefined {
  if (role.aggregationRule === undefined) return undefined
  const others = all.filter(({ metadata }) => metadata.name !== role.metadata.name).sort(byName)
  const rules: unknown[] = []
  for (const given of listOf(fieldsOf(role.aggregationRule).clusterRoleSelectors)) {
    const selector = selectorOf(given)
    for (const other of others) {
      if (!selector.matches(other.metadata.labels)) continue
      for (const rule of listOf(other.rules)) {
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule)
      }
    }
  }
  return deepEqual(rules, listOf(role.rules)) ? undefined : rules
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
