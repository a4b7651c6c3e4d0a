// Plans what a start adds to the default roles and bindings, when somebody removed it or an older server made them.
// Keeps what others added, and leaves alone what is annotated as not to be updated. Pure.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import { AUTO_UPDATE } from './bootstrap-objects.ts'

/** `found` plus what it lacks of `wanted`; undefined when it lacks nothing. `replace`: delete and create it again. */
export function planRoleRepair(found: KubeObject, wanted: KubeObject): KubeObject | 'replace' | undefined {
  if (found.metadata.annotations?.[AUTO_UPDATE] === 'false') return undefined
  // The roleRef of a binding is immutable.
  if (wanted.roleRef !== undefined && !deepEqual(found.roleRef, wanted.roleRef)) return 'replace'
  const next: KubeObject = {
    ...found,
    metadata: {
      ...found.metadata,
      ...withMissing('labels', found, wanted),
      ...withMissing('annotations', found, wanted),
    },
  }
  if (wanted.aggregationRule !== undefined) next.aggregationRule = withSelectors(found, wanted)
  else if (wanted.rules !== undefined) next.rules = [...listOf(found.rules), ...missingRules(found, wanted)]
  if (wanted.subjects !== undefined) next.subjects = joined(listOf(found.subjects), listOf(wanted.subjects))
  return deepEqual(next, found) ? undefined : next
}

function withMissing(field: 'labels' | 'annotations', found: KubeObject, wanted: KubeObject): object {
  const all = { ...wanted.metadata[field], ...found.metadata[field] }
  return Object.keys(all).length > 0 ? { [field]: all } : {}
}

function withSelectors(found: KubeObject, wanted: KubeObject): object {
  const selectors = (role: KubeObject) => listOf(fieldsOf(role.aggregationRule).clusterRoleSelectors)
  return { ...fieldsOf(found.aggregationRule), clusterRoleSelectors: joined(selectors(found), selectors(wanted)) }
}

function joined(have: readonly unknown[], want: readonly unknown[]): unknown[] {
  return [...have, ...want.filter((one) => !have.some((other) => deepEqual(one, other)))]
}

/** The rules that allow something which the rules of `found` do not. */
function missingRules(found: KubeObject, wanted: KubeObject): unknown[] {
  if (deepEqual(found.rules, wanted.rules)) return []
  const have = listOf(found.rules).map(fieldsOf)
  return listOf(wanted.rules).filter((rule) => permissions(fieldsOf(rule)).some((one) => !have.some(allows(one))))
}

type Rule = Record<string, unknown>

/** One verb on one resource of one group with one name, or on one URL. */
type Permission = Readonly<Record<string, string>>

function permissions(rule: Rule): Permission[] {
  const dimensions = DIMENSIONS.map((field) => [field, listOf(rule[field]).map(textOf)] as const)
  return dimensions.reduce<Permission[]>(
    (all, [field, values]) =>
      values.length === 0 ? all : all.flatMap((one) => values.map((value) => ({ ...one, [field]: value }))),
    [{}],
  )
}

const DIMENSIONS = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs']

function allows(permission: Permission): (rule: Rule) => boolean {
  return (rule) =>
    DIMENSIONS.every((field) => {
      const values = listOf(rule[field])
      const value = permission[field]
      // A rule without names allows all names.
      if (field === 'resourceNames' && values.length === 0) return true
      if (value === undefined) return values.length === 0
      return values.includes(value) || values.includes('*')
    })
}
