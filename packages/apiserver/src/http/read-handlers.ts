// Handles GET of an object, a collection or a subresource.

import { badRequest, notFound } from '@homeostat/meta'
import { tooLargeResourceVersion } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import { listObjects, parseRevision } from '../registry/list.ts'
import { objectFilter } from '../registry/object-filter.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { scaleStored } from '../registry/scale.ts'
import { withCopies } from '../registry/versions.ts'
import { cacheName } from '../registry/write-request.ts'
import { listResponse } from '../represent/list-response.ts'
import { type ResponseBody, showsMetadata, storedResponse } from '../represent/object-response.ts'
import { scaleResponse } from '../represent/scale-response.ts'
import { formOptions } from './form-options.ts'
import type { ResourcePath } from './request-path.ts'

/** Synchronous whenever possible: a promise would cost as much as the rest of the request. */
export function handleGet(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> | undefined {
  const name = path.name ?? ''
  const options = formOptions(exchange, registry, 'object')
  const asked = exchange.request.hasQuery ? parseRevision(exchange.request.param('resourceVersion')) : 0
  if (exchange.request.flag('export'))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
  if (asked > registry.cache.revision) throw tooLargeResourceVersion(asked, registry.cache.revision)
  const object = registry.resource(type).get(cacheName(type, path.namespace, name))
  if (!object) throw notFound({ group: type.group, resource: type.resource }, name)
  if (path.subresource === 'scale' && type.subresources.scale) {
    const { scale } = type.subresources
    const answer = withCopies(type, [object], () => scaleResponse(scaleStored(object, type, scale), type, options))
    return sendWhenReady(exchange, answer)
  }
  return sendWhenReady(exchange, storedResponse(object, type, options))
}

function sendWhenReady(exchange: Exchange, answer: ResponseBody | Promise<ResponseBody>): Promise<void> | undefined {
  if (answer instanceof Promise) return answer.then((made) => exchange.response.send(200, made))
  exchange.response.send(200, answer)
  return undefined
}

export async function handleList(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const options = formOptions(exchange, registry, 'list')
  const filter = objectFilter(
    type,
    path.namespace,
    exchange.request.param('labelSelector'),
    exchange.request.param('fieldSelector'),
  )
  const listed = await listObjects(registry, type, filter, {
    limit: exchange.request.number('limit'),
    continue: exchange.request.param('continue'),
    resourceVersion: exchange.request.param('resourceVersion'),
    resourceVersionMatch: exchange.request.param('resourceVersionMatch'),
  })
  const resource = registry.resource(type)
  const send = async () => exchange.response.sendPieces(200, await listResponse(listed, resource, type, options))
  if (type.converter === undefined || showsMetadata(options)) return send()
  const objects = [...(listed.objects ?? listed.tree.objects(filter.prefix))]
  for (const object of objects) resource.prepare(object)
  await withCopies(type, objects, send)
}
