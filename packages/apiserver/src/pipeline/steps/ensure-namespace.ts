// Creates the namespace of a valid new object, for definitions that opted in to namespaces on demand.

import { notFound } from '@homeostat/meta'
import type { JsonRead } from '@homeostat/meta/server'
import { bodyOf } from '../../registry/decode-object.ts'
import { type Pipeline, runWrite } from '../run-write.ts'
import type { Step, Write } from '../write.ts'
import { NAMESPACES } from './lifecycle.ts'

/** `create` is the pipeline that creates the namespace. */
export function ensureNamespace(create: () => Pipeline<JsonRead>): Step {
  return (write) => (write.type.createsNamespaces ? makeNamespace(write, create()) : undefined)
}

async function makeNamespace({ registry, request }: Write, create: Pipeline<JsonRead>): Promise<void> {
  const { namespace: name } = request
  const namespaces = registry.cache.resource('core/namespaces').tree
  if (name === undefined || namespaces.get(name)) return
  const type = registry.types.find('', 'v1', 'namespaces')
  if (!type) throw notFound(NAMESPACES, name)
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  const own = { ...request, type, namespace: undefined, name, subresource: undefined }
  try {
    await runWrite(registry, create, own, bodyOf(object))
  } catch (error) {
    if (!namespaces.get(name)) throw error
  }
}
