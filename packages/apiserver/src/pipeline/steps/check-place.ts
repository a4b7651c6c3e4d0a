// The URL and the object must not disagree on where it lives.

import { badRequest, type KubeObject } from '@homeostat/meta'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { Write } from '../write.ts'

export function checkPlace({ request, object }: Write): void {
  placeObject(request, object)
}

/** What the object does not say comes from the URL. */
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
