// POSTs that store no object of their own: reviews, which are answered at once, and actions on an object.

import { notFound } from '@homeostat/meta'
import { methodNotAllowed } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import { readResourceBody } from '../exchange/read-body.ts'
import { admitAction } from '../pipeline/admit-action.ts'
import { placeObject } from '../pipeline/steps/check-place.ts'
import { admitNew } from '../pipeline/steps/lifecycle.ts'
import { decodeObject } from '../registry/decode-object.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs, withCopies } from '../registry/versions.ts'
import { cacheName } from '../registry/write-request.ts'
import { objectResponse } from '../represent/object-response.ts'
import { formOptions } from './form-options.ts'
import type { ResourcePath } from './request-path.ts'
import { writeRequest } from './write-options.ts'

/** The namespace of a review need not exist: the result is about permissions only. */
export async function handleReview(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
  review: NonNullable<ResourceType['review']>,
): Promise<void> {
  // A review has no form as a table or as metadata only.
  const options = formOptions(exchange, registry, 'plain')
  const request = writeRequest(exchange, type, path, 'CreateOptions')
  const object = decodeObject(await readResourceBody(exchange.request, type), request)
  placeObject(request, object)
  await registry.freshness?.newest()
  for (const field of SERVER_FIELDS) delete object.metadata[field]
  if (type.namespaced && path.namespace !== undefined) object.metadata.namespace = path.namespace
  exchange.response.send(201, await objectResponse(await review(object, exchange.user), type, options))
}

/** Fields that only the server sets; values from a client are dropped. */
const SERVER_FIELDS = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const

export async function handleAction(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
  subresource: string,
): Promise<void> {
  const options = formOptions(exchange, registry, 'object')
  const request = writeRequest(exchange, type, path, 'CreateOptions')
  const { others = {} } = type.subresources
  const action = Object.hasOwn(others, subresource) ? others[subresource] : undefined
  const resource = { group: type.group, resource: type.resource }
  if (!action?.act) throw methodNotAllowed(resource, 'create')
  const bodyType = action.body ?? type
  const bodyRequest = { ...request, type: bodyType, name: undefined }
  const body = decodeObject(await readResourceBody(exchange.request, bodyType), bodyRequest)
  placeObject(bodyRequest, body)
  await registry.freshness?.newest()
  const name = path.name ?? ''
  admitNew(registry, request, name)
  const admitted = await admitAction(registry.admission, { ...request, actionBody: bodyType }, body)
  // Read afterwards: webhooks may take their time.
  const object = registry.resource(type).get(cacheName(type, path.namespace, name))
  if (!object) throw notFound(resource, name)
  const read = await withCopies(type, [object], () => readAs(object, type))
  const answer = await action.act(read, admitted, exchange.user, request.dryRun)
  exchange.response.send(201, await objectResponse(answer, bodyType, options))
}
