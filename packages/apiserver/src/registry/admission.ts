// What the state of other objects says about a write: new objects need a namespace that exists and is not going away.

import { forbidden, notFound } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { refuseDamaged } from '../cache/join-leaf.ts'
import { createObject } from './create.ts'
import type { Registry } from './registry.ts'
import type { WriteRequest } from './write-request.ts'

export const NAMESPACES = { group: '', resource: 'namespaces' }

export function admitCreate(registry: Registry, request: WriteRequest, name: string): void {
  const { type, namespace } = request
  const resource = { group: type.group, resource: type.resource }
  if (!type.acceptsCreates) {
    throw forbidden({ ...resource, name }, 'create not allowed while custom resource definition is terminating')
  }
  if (!type.namespaced || namespace === undefined) return
  const found = registry.cache.resource('core/namespaces').tree.get(namespace)
  if (found) refuseTerminating(registry, found, request, name)
  else if (!type.createsNamespaces) throw notFound(NAMESPACES, namespace)
}

/** Whether each namespace object is terminating, so that a create parses its namespace once, not every time. */
const terminating = new WeakMap<CachedObject, boolean>()

function refuseTerminating(registry: Registry, namespace: CachedObject, request: WriteRequest, name: string): void {
  let gone = terminating.get(namespace)
  if (gone === undefined) {
    refuseDamaged(namespace)
    gone = registry.parse(namespace).metadata.deletionTimestamp !== undefined
    terminating.set(namespace, gone)
  }
  if (!gone) return
  const text = `unable to create new content in namespace ${namespace.name} because it is being terminated`
  throw forbidden({ group: request.type.group, resource: request.type.resource, name }, text, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace.name} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}

/** For definitions that opted in to namespaces that come into being with their first object, once that is good. */
export async function ensureNamespace(registry: Registry, request: WriteRequest): Promise<void> {
  const { namespace: name } = request
  const namespaces = registry.cache.resource('core/namespaces').tree
  if (name === undefined || namespaces.get(name)) return
  const type = registry.types.find('', 'v1', 'namespaces')
  if (!type) throw notFound(NAMESPACES, name)
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  try {
    await createObject(registry, { ...request, type, namespace: undefined, name, subresource: undefined }, object)
  } catch (error) {
    if (!namespaces.get(name)) throw error
  }
}
