// Prunes the fields that an applier gives up: it applied them last time, does not apply them now, and nobody else owns them.

import type { MapType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { appliedFields } from './applied-fields.ts'
import { contains, difference, type FieldSet, intersection, union } from './field-set.ts'
import { inVersion, type VersionedTypes } from './field-write.ts'
import type { Owner } from './managed-entry.ts'
import { withNamedFields } from './named-fields.ts'
import { type Emptied, removeFields } from './remove-fields.ts'

/** `owners` are all after the apply, `now` the applier among them and `last` its entry before. */
export function pruneFields(
  merged: KubeObject,
  owners: readonly Owner[],
  now: Owner,
  last: Owner | undefined,
  types: VersionedTypes,
): KubeObject {
  if (last === undefined) return merged
  if (last.apiVersion === now.apiVersion && contains(now.fieldsV1, last.fieldsV1)) return merged
  const version = last.apiVersion
  const type = types.typeOf(version)
  const before = type && inVersion(merged, version, types)
  if (type === undefined || before === undefined) return merged
  const given = withNamedFields(last.fieldsV1, type)
  const bare = without(before, given, type, 'null')
  const kept = inVersion(addOwned(before, bare, version, owners, types), version, types)
  if (kept === undefined) return merged
  const gone = intersection(difference(allFields(before, type), allFields(kept, type)), given)
  // Kubernetes leaves null where somebody still owns a container that lost its parts; schemas seldom allow that.
  return inVersion(without(before, gone, type, 'empty'), now.apiVersion, types) ?? merged
}

/** Puts back what anybody owns, in each version in which somebody does; first in the version of the pruned object. */
function addOwned(
  merged: KubeObject,
  pruned: KubeObject,
  version: string,
  owners: readonly Owner[],
  types: VersionedTypes,
): KubeObject {
  const owned = new Map<string, FieldSet>()
  const first = owners.filter((owner) => owner.apiVersion === version)
  for (const { apiVersion, fieldsV1 } of [...first, ...owners]) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? {}, fieldsV1))
  }
  let whole = merged
  let rest = pruned
  for (const [apiVersion, fields] of owned) {
    const type = types.typeOf(apiVersion)
    const all = type && inVersion(whole, apiVersion, types)
    const some = type && inVersion(rest, apiVersion, types)
    if (type === undefined || all === undefined || some === undefined) continue
    const kept = union(allFields(some, type), withNamedFields(fields, type))
    whole = all
    rest = without(all, difference(allFields(all, type), kept), type, 'null')
  }
  return rest
}

function allFields(object: KubeObject, type: MapType): FieldSet {
  return withNamedFields(appliedFields(type, object), type)
}

function without(object: KubeObject, fields: FieldSet, type: MapType, emptied: Emptied): KubeObject {
  return removeFields(type, object, fields, emptied) as KubeObject
}
