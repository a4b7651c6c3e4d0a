// What somebody changed in an object, what others changed meanwhile, and where both meet. Lists are taken whole, as a merge patch
// takes them. Pure.

import { deepEqual, isObject } from '@homeostat/meta'
import type { OwnedField } from '../summary/managers.ts'

export interface Change {
  readonly path: readonly string[]
  /** Undefined when it was not there. */
  readonly before: unknown
  /** Undefined when it is taken away. */
  readonly after: unknown
}

export interface Conflict {
  readonly path: readonly string[]
  readonly mine: unknown
  readonly theirs: unknown
  /** The managers of what is there now. */
  readonly owners: readonly string[]
}

export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (deepEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => changesBetween(own(before, name), own(after, name), [...path, name]))
}

/** As `application/merge-patch+json` takes it: what is taken away is null. */
export function mergePatch(changes: readonly Change[]): Record<string, unknown> {
  const patch: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const { path, after } of changes) put(patch, path, after === undefined ? null : after)
  return patch
}

/** Where both changed the same field, or one changed what is inside of the other's, to something else. */
export function conflictsOf(
  mine: readonly Change[],
  theirs: readonly Change[],
  owned: readonly OwnedField[],
): Conflict[] {
  return mine.flatMap((change) => {
    const met = theirs.find(({ path }) => isWithin(path, change.path) || isWithin(change.path, path))
    if (met === undefined || (met.path.length === change.path.length && deepEqual(met.after, change.after))) return []
    const path = met.path.length < change.path.length ? met.path : change.path
    return [{ path, mine: change.after, theirs: met.after, owners: managersOfPath(path, owned) }]
  })
}

/** Their changes that are taken over: where nobody else changed the same, and where somebody gave up their own for it. */
export function takenOver(
  mine: readonly Change[],
  theirs: readonly Change[],
  givenUp: ReadonlySet<Conflict>,
): Pick<Change, 'path' | 'after'>[] {
  const untouched = theirs.filter(
    ({ path }) => !mine.some((change) => isWithin(path, change.path) || isWithin(change.path, path)),
  )
  return [...untouched, ...[...givenUp].map(({ path, theirs }) => ({ path, after: theirs }))]
}

export interface OwnerGroup {
  readonly owner: string
  readonly conflicts: readonly Conflict[]
}

/** By who wrote the field last; what nobody owns comes last. */
export function byOwner(conflicts: readonly Conflict[]): OwnerGroup[] {
  const groups = Map.groupBy(conflicts, ({ owners }) => owners.join(', '))
  return [...groups]
    .map(([owner, members]) => ({ owner, conflicts: members }))
    .sort((a, b) => Number(a.owner === '') - Number(b.owner === '') || a.owner.localeCompare(b.owner))
}

/** Who owns the field, or something in it, or a list that it is in. */
export function managersOfPath(path: readonly string[], owned: readonly OwnedField[]): string[] {
  const found = new Set<string>()
  for (const field of owned) {
    const names = namesOf(field.path)
    if (isWithin(names, path) || isWithin(path, names)) found.add(field.manager)
  }
  return [...found].sort()
}

/** Up to the first list: a change takes that whole. */
function namesOf(path: readonly string[]): readonly string[] {
  const list = path.findIndex((element) => !element.startsWith('f:'))
  return (list < 0 ? path : path.slice(0, list)).map((element) => element.slice(2))
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= path.length && outer.every((name, index) => path[index] === name)
}

function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next = isObject(inner) ? (inner as Record<string, unknown>) : (Object.create(null) as Record<string, unknown>)
  target[name] = next
  put(next, rest, value)
}
