// Builds the paths of a kind: of the collection, of one object, of a subresource. The clients of kinds call it.

import type { ObjectName, ResourceInfo } from '../api/client.ts'

/** A namespaced kind without a namespace means all namespaces. */
export function collectionPath({ group, version, resource, namespaced }: ResourceInfo, namespace?: string): string {
  const root = `${groupVersionPath(group, version)}/`
  if (!namespaced || namespace === undefined) return root + resource
  return `${root}namespaces/${segment('namespace', namespace)}/${resource}`
}

export function objectPath(info: ResourceInfo, { name, namespace }: ObjectName, part?: 'status' | 'scale'): string {
  if (info.namespaced && namespace === undefined) throw new Error(needsNamespace(info, name))
  const path = `${collectionPath(info, namespace)}/${segment('name', name)}`
  return part === undefined ? path : `${path}/${part}`
}

export function groupVersionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

export function needsNamespace({ kind }: ResourceInfo, name = ''): string {
  return `${kind}${name && ` "${name}"`}: objects of this kind are in namespaces; say which one`
}

/** Refuses empty and dotted segments: they name another path, e.g. the collection, which a DELETE would empty. */
function segment(what: string, text: string): string {
  if (typeof text !== 'string' || text === '' || text === '.' || text === '..') {
    throw new Error(`"${text}" is not the ${what} of an object`)
  }
  return encodeURIComponent(text)
}
