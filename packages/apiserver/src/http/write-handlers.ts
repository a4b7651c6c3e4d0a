// Handles POST, PUT, PATCH and DELETE: reads the body, runs the write and sends the result.

import { badRequest, type JsonValue } from '@homeostat/meta'
import { unsupportedMediaType } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import { contentType, readBytes, readJsonText, readObjectBody, readResourceBody } from '../exchange/read-body.ts'
import { deleteCollection, deleteObject, validateDeleteOptions } from '../pipeline/delete-objects.ts'
import { create, patch, replace, scale as scaled } from '../pipeline/lists.ts'
import { runWrite } from '../pipeline/run-write.ts'
import { apiVersionOf, listItem } from '../registry/decode-object.ts'
import type { DeleteOptions } from '../registry/delete-options.ts'
import { objectFilter } from '../registry/object-filter.ts'
import { APPLY_PATCH, JSON_PATCH, patchTypes, readPatch } from '../registry/patch.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { objectResponse, writtenResponse } from '../represent/object-response.ts'
import { writtenScale } from '../represent/scale-response.ts'
import { handleApply } from './apply-handler.ts'
import { createItems, itemsOf } from './create-items.ts'
import { formOptions } from './form-options.ts'
import { handleAction, handleReview } from './question-handlers.ts'
import type { ResourcePath } from './request-path.ts'
import { writeRequest } from './write-options.ts'

export async function handleCreate(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  if (path.subresource !== undefined) return handleAction(exchange, registry, type, path, path.subresource)
  if (type.review) return handleReview(exchange, registry, type, path, type.review)
  const options = formOptions(exchange, registry, 'object')
  const request = writeRequest(exchange, type, path, 'CreateOptions')
  const body = await readResourceBody(exchange.request, type)
  const items = itemsOf(body, type)
  if (items !== undefined) return exchange.response.send(201, await createItems(registry, type, request, items))
  const answer = writtenResponse(await runWrite(registry, create, request, body), type, options)
  exchange.response.send(201, answer instanceof Promise ? await answer : answer)
}

export async function handleUpdate(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const options = formOptions(exchange, registry, 'object')
  const request = writeRequest(exchange, type, path, 'UpdateOptions')
  if (path.name === undefined) throw badRequest('a PUT needs the name of the object at the end of its URL')
  const { scale } = type.subresources
  if (path.subresource === 'scale' && scale) {
    const body = await readObjectBody(exchange.request, SCALE)
    const change = { paths: scale, change: () => asScale(body.value) }
    const written = await runWrite(registry, scaled, request, change)
    exchange.response.send(200, await writtenScale(written, type, scale, options))
    return
  }
  const body = await readResourceBody(exchange.request, type)
  const written = await runWrite(registry, replace, request, body)
  exchange.response.send(written.created ? 201 : 200, await writtenResponse(written, type, options))
}

export async function handlePatch(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const options = formOptions(exchange, registry, 'object')
  const media = contentType(exchange.request)
  if (!patchTypes(type).includes(media)) throw unsupportedMediaType(patchTypes(type))
  if (media === APPLY_PATCH) return handleApply(exchange, registry, type, path)
  const request = writeRequest(exchange, type, path, 'PatchOptions')
  const body = readJsonText(
    (await readBytes(exchange.request)).toString(),
    undefined,
    media === JSON_PATCH ? MAX_PATCH_WEIGHT : undefined,
  )
  const apply = readPatch(media, body, type)
  const { scale } = type.subresources
  if (path.subresource === 'scale' && scale) {
    const written = await runWrite(registry, scaled, request, { paths: scale, change: apply })
    exchange.response.send(200, await writtenScale(written, type, scale, options))
    return
  }
  const written = await runWrite(registry, patch, request, { apply, duplicates: body.duplicates })
  const answer = writtenResponse(written, type, options)
  exchange.response.send(200, answer instanceof Promise ? await answer : answer)
}

export async function handleDelete(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const form = formOptions(exchange, registry, 'object')
  const { request, options } = await deleteRequest(exchange, type, path)
  const { gone, object } = await deleteObject(registry, request, options)
  if (!gone || type.strategy.deleteReturnsObject) {
    // Only a client that used the deprecated orphanDependents gets 202 when the object still exists.
    exchange.response.send(
      !gone && options.orphanDependents === false ? 202 : 200,
      await objectResponse(object, type, form),
    )
    return
  }
  const { name, uid } = object.metadata
  const details = {
    name,
    ...(type.group !== '' && { group: type.group }),
    kind: type.resource,
    ...(uid !== undefined && { uid }),
  }
  exchange.response.sendJson(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details })
}

export async function handleDeleteCollection(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const filter = objectFilter(
    type,
    path.namespace,
    exchange.request.param('labelSelector'),
    exchange.request.param('fieldSelector'),
  )
  const { request, options } = await deleteRequest(exchange, type, path)
  const items = await deleteCollection(registry, request, filter, options, exchange.request.number('limit'))
  exchange.response.sendJson(200, {
    kind: type.listKind,
    apiVersion: apiVersionOf(type),
    metadata: { resourceVersion: String(registry.cache.revision) },
    items: items.map((item) => listItem(item, type)),
  })
}

/** Room for ten thousand operations of up to four fields, which are cheap to hold. */
const MAX_PATCH_WEIGHT = 150_000
const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale' }
const DELETE_OPTIONS = { apiVersion: 'v1', kind: 'DeleteOptions' }

/** DeleteOptions come in the body or, in part, in the query. */
async function deleteRequest(exchange: Exchange, type: ResourceType, path: ResourcePath) {
  const { headers } = exchange.request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const body = hasBody ? (await readObjectBody(exchange.request, DELETE_OPTIONS)).value : null
  const options = readDeleteOptions(body, exchange)
  validateDeleteOptions(options)
  const request = writeRequest(exchange, type, path, 'DeleteOptions')
  return { options, request: { ...request, dryRun: request.dryRun || (options.dryRun ?? []).includes('All') } }
}

function readDeleteOptions(body: JsonValue, exchange: Exchange): DeleteOptions {
  if (body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw badRequest('the body of a DELETE is a DeleteOptions object, or nothing')
  const options = { ...body } as Record<string, unknown>
  for (const name of ['propagationPolicy', 'gracePeriodSeconds', 'orphanDependents']) {
    const value = exchange.request.param(name)
    if (value !== '' && options[name] === undefined)
      options[name] =
        name === 'orphanDependents'
          ? value === 'true'
          : name === 'gracePeriodSeconds'
            ? exchange.request.number(name)
            : value
  }
  const { preconditions, propagationPolicy, dryRun } = options
  if (preconditions !== undefined && preconditions !== null && typeof preconditions !== 'object')
    throw badRequest('preconditions must be an object with uid or resourceVersion')
  if (propagationPolicy !== undefined && propagationPolicy !== null && typeof propagationPolicy !== 'string')
    throw badRequest('propagationPolicy must be a string')
  if (dryRun !== undefined && dryRun !== null && !Array.isArray(dryRun)) throw badRequest('dryRun must be a list')
  for (const key of Object.keys(options)) if (options[key] === null) delete options[key]
  if (options.gracePeriodSeconds !== undefined) options.gracePeriodSeconds = wholeSeconds(options.gracePeriodSeconds)
  return options as DeleteOptions
}

function wholeSeconds(value: unknown): number {
  // The precision of a grace beyond 2^53 seconds does not matter.
  const seconds = typeof value === 'bigint' ? Number(value) : value
  if (typeof seconds === 'number' && Number.isInteger(seconds)) return seconds
  throw badRequest('gracePeriodSeconds must be a whole number of seconds')
}

function asScale(value: JsonValue): JsonValue {
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && value.kind === 'Scale') return value
  throw badRequest('the body must be an autoscaling/v1 Scale')
}
