// Adds the containers that a schema names to a set that has something inside them: appliers do not claim them, yet
// they must go when nothing is left in them.

import type { MergeType } from '../merge/merge-type.ts'
import { type FieldSet, isEmptySet, isMember, NOTHING, nodeOf } from './field-set.ts'
import { ANY_MAP } from './typed-value.ts'

export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  return isEmptySet(set) ? set : (within(set, type, false) ?? NOTHING)
}

function within(node: FieldSet, type: MergeType | undefined, member: boolean): FieldSet | undefined {
  const map = type?.kind === 'map' ? type : type?.kind === 'any' ? ANY_MAP : undefined
  const children: [string, FieldSet][] = []
  for (const element in node) {
    const child = node[element]
    if (element === '.' || child === undefined) continue
    if (isEmptySet(child)) {
      children.push([element, child])
      continue
    }
    const name = element.startsWith('f:') ? element.slice(2) : undefined
    let below: MergeType | undefined
    if (name !== undefined) below = map?.field(name)
    else if (element.startsWith('k:') && type?.kind === 'list') below = type.items
    const named = name !== undefined && map?.names(name) === true
    const rest = within(child, below, named || isMember(child))
    if (rest !== undefined) children.push([element, rest])
  }
  return nodeOf(member, children)
}
