// URL paths of objects, for kinds whose path is known without discovery.

import { usageFault } from '../fault.ts'

export interface Place {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
}

export const DEFINITIONS: Place = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
}
export const PROCESSES: Place = { group: 'colonies.io', version: 'v1', plural: 'processes', namespaced: true }
export const GRAPHS: Place = { group: 'colonies.io', version: 'v1', plural: 'processgraphs', namespaced: true }
export const GRAPH_PARTS: Place = { group: 'colonies.io', version: 'v1', plural: 'processgraphparts', namespaced: true }
export const SCHEDULES: Place = { group: 'colonies.io', version: 'v1', plural: 'schedules', namespaced: true }
export const EXECUTORS: Place = { group: 'colonies.io', version: 'v1', plural: 'executors', namespaced: true }
export const LEASES: Place = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }
export const BOOTSTRAP_TOKENS: Place = {
  group: 'colonies.io',
  version: 'v1',
  plural: 'bootstraptokens',
  namespaced: true,
}
export const SERVICE_ACCOUNTS: Place = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true }
export const CONFIG_MAPS: Place = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
export const ROLES: Place = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', namespaced: true }
export const ROLE_BINDINGS: Place = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'rolebindings',
  namespaced: true,
}
export const NAMESPACES: Place = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

/** Of all namespaces when none is given. */
export function collectionPath({ group, version, plural, namespaced }: Place, namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const within = namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : ''
  return `${root}${within}/${plural}`
}

export function objectPath(place: Place, namespace: string, name: string, part?: string): string {
  const path = `${collectionPath(place, namespace)}/${segment(name)}`
  return part === undefined ? path : `${path}/${part}`
}

/** Refuses an empty or dotted name: it would make the path of the collection, which a DELETE would empty. */
function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw usageFault(`'${name}' is not a name`)
  return encodeURIComponent(name)
}
