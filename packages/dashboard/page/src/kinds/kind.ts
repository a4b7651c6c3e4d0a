// A kind as the server serves it, and the paths of its objects.

import type { ResourceInfo } from '@homeostat/client'

export type Kind = ResourceInfo

export interface ObjectName {
  readonly namespace: string | undefined
  readonly name: string
}

export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

/** `widgets.example.com`, as kubectl takes it. */
export function fullName({ group, resource }: Pick<Kind, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`
}

export function collectionPath(kind: Pick<Kind, 'group' | 'version' | 'resource'>, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${root}${within}/${kind.resource}`
}

export function objectPath(
  kind: Pick<Kind, 'group' | 'version' | 'resource'>,
  { namespace, name }: ObjectName,
): string {
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`
}
