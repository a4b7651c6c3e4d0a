// Decides which names a definition gets. Names are unique in a group: plural, singular and short names share one set,
// kind and list kind another. Pure.

import type { Condition } from '@homeostat/meta'
import type { DefinitionNames } from '../builtin/definition/definition.ts'

/** Names that other definitions of the group have. */
export interface TakenNames {
  readonly resources: ReadonlySet<string>
  readonly kinds: ReadonlySet<string>
}

interface NamesDecision {
  readonly acceptedNames: DefinitionNames
  readonly condition: Omit<Condition, 'lastTransitionTime'>
}

export function takenNames(all: Iterable<DefinitionNames>): TakenNames {
  const resources = new Set<string>()
  const kinds = new Set<string>()
  for (const { plural, singular, shortNames, kind, listKind } of all) {
    for (const name of [plural, singular, ...(shortNames ?? [])]) if (name) resources.add(name)
    for (const name of [kind, listKind]) if (name) kinds.add(name)
  }
  return { resources, kinds }
}

/** Accepts every free name; of several conflicts the condition reports the last, as in Kubernetes. */
export function decideNames(wanted: DefinitionNames, accepted: DefinitionNames, taken: TakenNames): NamesDecision {
  let problem: { reason: string; message: string } | undefined
  const refuse = (reason: string, names: readonly string[]): void => {
    problem = { reason, message: names.map((name) => `"${name}" is already in use`).join(', ') }
  }
  const names: DefinitionNames = { ...accepted }
  const one = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>, reason: string): void => {
    const name = wanted[field]
    if (name !== undefined && name !== accepted[field] && used.has(name)) refuse(reason, [name])
    else Object.assign(names, { [field]: name })
  }
  one('plural', taken.resources, 'PluralConflict')
  one('singular', taken.resources, 'SingularConflict')
  const short = wanted.shortNames ?? []
  const refused = short.filter((name) => !accepted.shortNames?.includes(name) && taken.resources.has(name))
  if (refused.length > 0) refuse('ShortNamesConflict', refused)
  else setList(names, 'shortNames', short)
  one('kind', taken.kinds, 'KindConflict')
  one('listKind', taken.kinds, 'ListKindConflict')
  setList(names, 'categories', wanted.categories ?? [])
  return {
    acceptedNames: names,
    condition: problem
      ? { type: 'NamesAccepted', status: 'False', ...problem }
      : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  }
}

function setList(names: DefinitionNames, field: 'shortNames' | 'categories', list: string[]): void {
  if (list.length > 0) names[field] = list
  else delete names[field]
}
