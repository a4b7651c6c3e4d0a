// A new object needs a definition and a namespace that exist and are not terminating. The check runs early, so that its
// error comes before others, and again before the commit: the controllers that empty a terminating namespace or
// definition rely on no create reaching the store after termination began.

import { forbidden, notFound } from '@homeostat/meta'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { Registry } from '../../registry/registry.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { Write } from '../write.ts'

export const NAMESPACES = { group: '', resource: 'namespaces' }

export function checkLifecycle({ registry, request, object }: Write): void {
  admitNew(registry, request, object.metadata.name ?? '')
}

export function admitNew(registry: Registry, request: WriteRequest, name: string): void {
  const { type, namespace } = request
  if (!type.acceptsCreates) {
    const resource = { group: type.group, resource: type.resource, name }
    throw forbidden(resource, 'create not allowed while custom resource definition is terminating')
  }
  if (!type.namespaced || namespace === undefined) return
  const found = registry.cache.resource('core/namespaces').tree.get(namespace)
  if (found === undefined) {
    if (!type.createsNamespaces) throw notFound(NAMESPACES, namespace)
  } else if (registry.isTerminating(found)) throw terminating(found, request, name)
}

function terminating(namespace: CachedObject, { type }: WriteRequest, name: string): Error {
  const text = `unable to create new content in namespace ${namespace.name} because it is being terminated`
  return forbidden({ group: type.group, resource: type.resource, name }, text, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace.name} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}
