// Server-side apply: merges a configuration into the live object, prunes the fields that its manager no longer applies,
// refuses fields that other managers own, and computes the new owners.

import { messageOf } from '@homeostat/base'
import { deepEqual } from '../json/deep.ts'
import type { MapType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { badRequest, failure } from '../status/status-errors.ts'
import { appliedFields } from './applied-fields.ts'
import { applyConflict, type Conflict } from './conflicts.ts'
import { difference, equalSets, type FieldSet, intersection, isEmptySet } from './field-set.ts'
import {
  type FieldWrite,
  identityOf,
  reconciledFields,
  typeOfWrite,
  VersionedChanges,
  type VersionedTypes,
} from './field-write.ts'
import { lastAppliedFields, withLastApplied } from './last-applied.ts'
import {
  compareOwners,
  isSameOwner,
  newOwner,
  type Owner,
  ownsNothing,
  readOwners,
  withFields,
} from './managed-entry.ts'
import { mergeValue } from './merge-value.ts'
import { withoutReset, withoutUnowned } from './object-fields.ts'
import { pruneFields } from './prune-fields.ts'
import { ItemError } from './typed-value.ts'
import { ownersAfter } from './updated-fields.ts'
import { configProblem } from './validate-config.ts'

export interface ApplyWrite extends FieldWrite {
  readonly force: boolean
}

/**
 * The object after the apply, with its managedFields; `live` itself when nothing at all changes. `live` is undefined
 * when there is none yet. Throws a Conflict that names each field and its owner unless forced.
 */
export function applyConfiguration(
  live: KubeObject | undefined,
  config: KubeObject,
  write: ApplyWrite,
  types: VersionedTypes,
): KubeObject {
  const steps = applySteps(live, config, write, types)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same as a generator of steps: a large configuration takes long, and the server yields to the event loop between them. */
export function* applySteps(
  live: KubeObject | undefined,
  config: KubeObject,
  write: ApplyWrite,
  types: VersionedTypes,
): Generator<undefined, KubeObject, undefined> {
  try {
    checkConfiguration(config, write, types)
    yield
    const done = isApplied(live, config, write, types) ? live : undefined
    yield
    const applied = done ?? (yield* attempt(live, config, write, types, ownersBefore(live, write, types)))
    return write.manager === KUBECTL ? withLastApplied(applied, config) : applied
  } catch (error) {
    if (error instanceof ItemError)
      throw failure(500, `failed to create typed live object (${shown(config)}): ${error.message}`)
    throw error
  }
}

const KUBECTL = 'kubectl'
const BEFORE_FIRST_APPLY = 'before-first-apply'

function checkConfiguration(config: KubeObject, write: ApplyWrite, types: VersionedTypes): void {
  if (config.apiVersion !== write.apiVersion) throw badRequest(`invalid object type: ${shownKind(config)}`)
  const sent: unknown = config.metadata.managedFields
  if (sent !== undefined && sent !== null) throw badRequest('metadata.managedFields must be nil')
  const problem = configProblem(typeOfWrite(write, types), config)
  if (problem !== undefined) throw failure(500, `failed to create typed patch object (${shown(config)}): ${problem}`)
}

/** The same manager applied the same configuration before, and no field of it changed since: other owners keep theirs. */
function isApplied(
  live: KubeObject | undefined,
  config: KubeObject,
  write: ApplyWrite,
  types: VersionedTypes,
): live is KubeObject {
  const identity = identityOf(write, 'Apply')
  const list = (live?.metadata.managedFields ?? []) as readonly Owner[]
  const last = list.find((owner) => isSameOwner(owner, identity))
  if (last?.apiVersion !== write.apiVersion || last.fieldsType !== 'FieldsV1' || !last.fieldsV1) return false
  const type = typeOfWrite(write, types)
  if (mergeValue(type, live, config) !== live) return false
  return equalSets(last.fieldsV1, claims(type, config, write))
}

function claims(type: MapType, config: KubeObject, write: ApplyWrite): FieldSet {
  return withoutUnowned(withoutReset(appliedFields(type, config), write.reset))
}

function ownersBefore(live: KubeObject | undefined, write: ApplyWrite, types: VersionedTypes): readonly Owner[] {
  const before = liveOwners(live)
  if (before.length > 0 || live === undefined) return before
  return ownersAfter([], write.emptyTemplate, live, { ...write, manager: BEFORE_FIRST_APPLY }, types)
}

function liveOwners(live: KubeObject | undefined): readonly Owner[] {
  try {
    return readOwners(live?.metadata.managedFields ?? [])
  } catch (error) {
    throw failure(500, `failed to decode managed fields: ${messageOf(error)}`)
  }
}

function* attempt(
  live: KubeObject | undefined,
  config: KubeObject,
  write: ApplyWrite,
  types: VersionedTypes,
  before: readonly Owner[],
): Generator<undefined, KubeObject, undefined> {
  const type = typeOfWrite(write, types)
  const base: KubeObject = live ?? { apiVersion: config.apiVersion, kind: config.kind, metadata: {} }
  const identity = identityOf(write, 'Apply')
  const fitting = reconciled(before, write, types)
  const last = fitting.find((owner) => isSameOwner(owner, identity))
  const others = fitting.filter((owner) => owner !== last)
  const claimed = newOwner(identity, withoutReset(appliedFields(type, config), write.reset), last?.time)
  yield

  const merged = mergeValue(type, base, config) as KubeObject
  const object = pruneFields(merged, [...others, claimed], claimed, last, types)
  yield
  const changes = new VersionedChanges(base, object, write, types)
  if (!write.force) refuseConflicts(live, type, write, others, changes)
  yield

  const changed = live === undefined || (object !== live && !deepEqual(live, object))
  const owners: Owner[] = []
  for (const owner of others) {
    const found = changes.in(owner.apiVersion)
    if (found === undefined) owners.push(owner)
    else owners.push(withFields(owner, difference(difference(owner.fieldsV1, found.changed), found.removed)))
  }
  owners.push(newOwner(identity, withoutUnowned(claimed.fieldsV1), changed ? write.time : last?.time))
  const after = owners.filter((owner) => !ownsNothing(owner)).sort(compareOwners)
  if (!changed && isSameList(after, live?.metadata.managedFields)) return live
  return withOwners(changed ? object : base, after)
}

/** kubectl may take over the fields of its last client-side configuration. */
function refuseConflicts(
  live: KubeObject | undefined,
  type: MapType,
  write: ApplyWrite,
  others: readonly Owner[],
  changes: VersionedChanges,
): void {
  const conflicts: Conflict[] = []
  for (const owner of others) {
    const found = changes.in(owner.apiVersion)
    const fields = found && intersection(owner.fieldsV1, found.changed)
    if (fields !== undefined && !isEmptySet(fields)) conflicts.push({ owner, fields })
  }
  if (conflicts.length === 0) return
  const own =
    write.manager === KUBECTL && live !== undefined ? lastAppliedFields(live, write.apiVersion, type) : undefined
  if (own === undefined) throw applyConflict(conflicts)
  const left = conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, own) }))
    .filter(({ fields }) => !isEmptySet(fields))
  if (left.length > 0) throw applyConflict(left)
}

function reconciled(owners: readonly Owner[], write: FieldWrite, types: VersionedTypes): Owner[] {
  const fitting: Owner[] = []
  for (const owner of owners) {
    const type = owner.apiVersion === write.apiVersion ? typeOfWrite(write, types) : types.typeOf(owner.apiVersion)
    if (type !== undefined) fitting.push(withFields(owner, reconciledFields(owner.fieldsV1, type, types)))
  }
  return fitting
}

function isSameList(owners: readonly Owner[], list: readonly unknown[] | undefined): boolean {
  const before = (list ?? []) as readonly Owner[]
  return (
    owners.length === before.length &&
    owners.every((owner, index) => {
      const other = before[index]
      if (other === undefined || other.time !== owner.time || other.apiVersion !== owner.apiVersion) return false
      return (
        isSameOwner(other, { ...owner, manager: owner.manager ?? '' }) &&
        equalSets(owner.fieldsV1, other.fieldsV1 ?? {})
      )
    })
  )
}

function withOwners(object: KubeObject, owners: readonly Owner[]): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata: owners.length === 0 ? metadata : { ...metadata, managedFields: [...owners] } }
}

function shown(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}; ${shownKind(object)}`
}

function shownKind({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`
}
