// Which kinds one may list, by the rules that a server tells. Pure.

import type { Kind } from '../kinds/kind.ts'

export interface Rule {
  readonly verbs?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** Whether some rule lets one list all objects of the kind. Without rules nothing is known, and nothing is refused. */
export function allowsList(rules: readonly Rule[] | undefined, { group, resource }: Pick<Kind, 'group' | 'resource'>) {
  if (rules === undefined) return true
  return rules.some(
    ({ verbs, apiGroups, resources, resourceNames = [] }) =>
      resourceNames.length === 0 && names(verbs, 'list') && names(apiGroups, group) && names(resources, resource),
  )
}

function names(list: readonly string[] | undefined, one: string): boolean {
  return list !== undefined && (list.includes('*') || list.includes(one))
}
