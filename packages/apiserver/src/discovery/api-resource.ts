// The entries of one resource in an APIResourceList: the resource itself and its subresources.
// Only discovery calls it. Keys have the order and presence of Kubernetes' responses.

import { createHash } from 'node:crypto'
import type { ResourceNames, ResourceType, WrittenBy } from '../registry/resource-type.ts'

export interface ApiResource {
  readonly name: string
  readonly singularName: string
  readonly namespaced: boolean
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly storageVersionHash?: string
}

/** Custom resources list their verbs in this order, built-in resources alphabetically. */
const CUSTOM_VERB_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const TERMINATING_VERBS = new Set(['delete', 'deletecollection', 'get', 'list', 'watch'])

export function apiResources(type: ResourceType): ApiResource[] {
  return [mainResource(type), ...subresources(type)]
}

/** Identifies the encoding in the store, so that clients notice when it changes. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64')
}

function mainResource(type: ResourceType): ApiResource {
  return {
    name: type.resource,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: mainVerbs(type),
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(type.verbs.includes('get') && {
      storageVersionHash: storageVersionHash(storedGroup(type), type.storageVersion, type.kind),
    }),
  }
}

/** Events of events.k8s.io are stored as those of the core group. */
function storedGroup({ group: own, conversion, storage }: ResourceType): string {
  if (!conversion) return own
  const group = storage.slice(0, storage.indexOf('/'))
  return group === 'core' ? '' : group
}

function mainVerbs(type: ResourceNames & WrittenBy): string[] {
  const ordered = type.custom ? CUSTOM_VERB_ORDER.filter((verb) => type.verbs.includes(verb)) : [...type.verbs].sort()
  return type.acceptsCreates ? ordered : ordered.filter((verb) => TERMINATING_VERBS.has(verb))
}

function subresources(type: ResourceType): ApiResource[] {
  const { status, scale, others = {} } = type.subresources
  const entries: ApiResource[] = []
  if (status) entries.push(subresource(type, 'status', ['get', 'patch', 'update']))
  if (scale) {
    const autoscaling = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
    entries.push(subresource(type, 'scale', ['get', 'patch', 'update'], autoscaling))
  }
  for (const [name, { verbs, answers }] of Object.entries(others)) entries.push(subresource(type, name, verbs, answers))
  return type.custom ? entries : entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function subresource(
  type: ResourceType,
  name: string,
  verbs: readonly string[],
  answers: { group?: string; version?: string; kind: string } = { kind: type.kind },
): ApiResource {
  // Without a version, the kind belongs to the list's own group and version.
  const kind = answers.version === '' ? { kind: answers.kind } : answers
  return { name: `${type.resource}/${name}`, singularName: '', namespaced: type.namespaced, ...kind, verbs }
}
