// Refuses an object whose name or namespace differs from the URL.

import { badRequest, type KubeObject } from '@homeostat/meta'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { Write } from '../write.ts'

export function checkPlace({ request, object }: Write): void {
  placeObject(request, object)
}

/** Fills in the name from the URL if the object has none, and drops the namespace of a cluster-scoped object. */
export function placeObject(request: WriteRequest, object: KubeObject): void {
  const { namespace, name } = object.metadata
  if (request.type.namespaced && namespace !== undefined && namespace !== '' && namespace !== request.namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request (${namespace} is not ${request.namespace})`,
    )
  }
  if (!request.type.namespaced) delete object.metadata.namespace
  if (request.name === undefined) return
  if (!name) object.metadata.name = request.name
  else if (name !== request.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`)
}
