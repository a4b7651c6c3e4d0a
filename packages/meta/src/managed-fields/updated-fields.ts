// The owners after a write that is not an apply: the writer owns the fields that it changed, and every other manager loses
// the fields that were removed or changed.

import { deepEqual } from '../json/deep.ts'
import type { KubeObject } from '../object/object.ts'
import { capUpdaters } from './cap-updaters.ts'
import { difference, type FieldSet, isEmptySet, union } from './field-set.ts'
import {
  type FieldWrite,
  identityOf,
  reconciledFields,
  typeOfWrite,
  VersionedChanges,
  type VersionedTypes,
} from './field-write.ts'
import {
  compareOwners,
  type Identity,
  isSameOwner,
  type ManagedFieldsEntry,
  newOwner,
  type Owner,
  ownsNothing,
  readOwners,
  trustOwners,
  withFields,
} from './managed-entry.ts'
import { ownedFields, withoutUnowned } from './object-fields.ts'
import { ItemError } from './typed-value.ts'

/**
 * The managedFields that `next` shall have. `live` is undefined on create. What the client sent in
 * `next.metadata.managedFields` counts: absent or unreadable, the live entries are kept; `[]` and `[{}]` reset them.
 * The live list itself is returned when no entry changes.
 */
export function updatedFields(
  live: KubeObject | undefined,
  next: KubeObject,
  write: FieldWrite,
  types: VersionedTypes,
): ManagedFieldsEntry[] | undefined {
  const before = ownersBefore(live, next, write)
  // Tracking does not start in the middle of an object's life; the first apply starts it again.
  if (before.length === 0 && live !== undefined) return undefined
  return tracked(before, live, next, write, types)
}

/** The same for a new object whose kind always has some parts: as they are in `emptyTemplate`, nobody owns them. */
export function createdFieldsOver(
  emptyTemplate: KubeObject,
  object: KubeObject,
  write: FieldWrite,
  types: VersionedTypes,
): ManagedFieldsEntry[] | undefined {
  return tracked([], emptyTemplate, object, write, types)
}

function tracked(
  before: readonly Owner[],
  live: KubeObject | undefined,
  next: KubeObject,
  write: FieldWrite,
  types: VersionedTypes,
): ManagedFieldsEntry[] | undefined {
  try {
    const after = ownersAfter(before, live, next, write, types)
    return after.length === 0 ? undefined : (after as ManagedFieldsEntry[])
  } catch (error) {
    // As with the real server: when items cannot be told apart, nothing is tracked.
    if (error instanceof ItemError) return undefined
    throw error
  }
}

/** The owners after a write by `identity`, as update and as the stand-in for all writes before the first apply. */
export function ownersAfter(
  before: readonly Owner[],
  live: KubeObject | undefined,
  next: KubeObject,
  write: FieldWrite,
  types: VersionedTypes,
): readonly Owner[] {
  const identity = identityOf(write, 'Update')
  const type = typeOfWrite(write, types)
  if (live === undefined && before.length === 0) {
    const all = ownedFields(type, next, write.reset)
    return isEmptySet(all) ? [] : [newOwner(identity, all, write.time)]
  }
  const empty: KubeObject = { apiVersion: next.apiVersion, kind: next.kind, metadata: {} }
  const changes = new VersionedChanges(live ?? empty, next, write, types)
  const own = changes.in(write.apiVersion)
  const mine = own === undefined ? {} : withoutUnowned(own.changed)
  const tidy = isTidy(before, live)
  if (own !== undefined && isEmptySet(mine) && isEmptySet(own.removed) && tidy) return before
  const step = own && tidy ? { identity, type, mine, removed: own.removed, time: write.time } : undefined
  const known = step && types.memory?.steps.after(before, step)
  if (known !== undefined) return known
  const after: Owner[] = []
  for (const owner of before) {
    const left =
      owner.apiVersion !== write.apiVersion && types.typeOf(owner.apiVersion) === undefined
        ? undefined
        : loses(owner, changes, types, own !== undefined && mine === own.changed && isSameOwner(owner, identity))
    if (left !== undefined && !ownsNothing(left)) after.push(left)
  }
  if (!isEmptySet(mine)) gain(after, identity, mine, write.time)
  const capped = capUpdaters(after)
  const list = tidy && isSame(before, capped) ? before : [...capped].sort(compareOwners)
  if (step) types.memory?.steps.remember(before, step, list)
  return list
}

/** `regains`: the owner is the writer, who gets what was changed back at once. Then it is not taken away first. */
function loses(owner: Owner, changes: VersionedChanges, types: VersionedTypes, regains: boolean): Owner {
  const found = changes.in(owner.apiVersion)
  const type = types.typeOf(owner.apiVersion)
  if (found === undefined) return owner
  const fitting = type === undefined ? owner.fieldsV1 : reconciledFields(owner.fieldsV1, type, types)
  const left = regains ? fitting : difference(fitting, found.changed)
  return withFields(owner, difference(left, found.removed))
}

function gain(owners: Owner[], identity: Identity, fields: FieldSet, time: string | undefined): void {
  const at = owners.findIndex((owner) => isSameOwner(owner, identity))
  const previous = owners[at]
  if (previous === undefined) owners.push(newOwner(identity, fields, time))
  else owners[at] = newOwner(identity, union(previous.fieldsV1, fields), time)
}

function ownersBefore(live: KubeObject | undefined, next: KubeObject, write: FieldWrite): readonly Owner[] {
  const kept = live?.metadata.managedFields
  const sent: unknown = next.metadata.managedFields
  // A subresource never changes who owns what by hand.
  if (write.subresource || sent === undefined || sent === kept || !Array.isArray(sent)) return trusted(kept)
  if (sent.length === 0 || (sent.length === 1 && isBlank(sent[0]))) return []
  if (kept !== undefined && deepEqual(sent, kept)) return trusted(kept)
  try {
    return readOwners(sent)
  } catch {
    return trusted(kept)
  }
}

function trusted(list: readonly unknown[] | undefined): readonly Owner[] {
  return (list && trustOwners(list)) ?? []
}

function isBlank(entry: unknown): boolean {
  return typeof entry === 'object' && (entry === null || Object.keys(entry).length === 0)
}

/** Entries that the client sent are put in order even when the object stays the same. */
function isTidy(before: readonly Owner[], live: KubeObject | undefined): boolean {
  return (before as readonly unknown[]) === live?.metadata.managedFields
}

function isSame(before: readonly Owner[], after: readonly Owner[]): boolean {
  return (
    before.length === after.length &&
    after.every((owner, index) => {
      const other = before[index]
      return (
        other === owner ||
        (other !== undefined &&
          other.fieldsV1 === owner.fieldsV1 &&
          other.time === owner.time &&
          isSameFrame(other, owner))
      )
    })
  )
}

function isSameFrame(a: Owner, b: Owner): boolean {
  return (
    a.operation === b.operation &&
    (a.manager ?? '') === (b.manager ?? '') &&
    a.apiVersion === b.apiVersion &&
    (a.subresource ?? '') === (b.subresource ?? '')
  )
}
