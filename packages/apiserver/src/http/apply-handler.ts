// PATCH with application/apply-patch+yaml: server-side apply of an object, its status or its scale.

import { yieldToLoop } from '@homeostat/base'
import { badRequest, type KubeObject } from '@homeostat/meta'
import { type JsonRead, MAX_APPLIED_WEIGHT, MAX_JSON_WEIGHT } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import { readBytes, readYamlText } from '../exchange/read-body.ts'
import { apply } from '../pipeline/lists.ts'
import { runWrite } from '../pipeline/run-write.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { scaleConfiguration } from '../registry/scale-configuration.ts'
import { writtenResponse } from '../represent/object-response.ts'
import { writtenScale } from '../represent/scale-response.ts'
import { formOptions } from './form-options.ts'
import type { ResourcePath } from './request-path.ts'
import { APPLY_OPTIONS, writeRequest } from './write-options.ts'

export async function handleApply(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const options = formOptions(exchange, registry, 'object')
  const request = writeRequest(exchange, type, path, APPLY_OPTIONS)
  const force = exchange.request.flag('force')
  // The versions of a definition are owned as a whole, so an apply of a large one costs no more than a create.
  const limit = type.resource === 'customresourcedefinitions' ? MAX_JSON_WEIGHT : MAX_APPLIED_WEIGHT
  const text = (await readBytes(exchange.request)).toString()
  const body = await readYamlText(text, exchange.request.parts.yaml, limit, type.confidential)
  if (request.large) await yieldToLoop()
  const config = readConfiguration(body)
  const { scale } = type.subresources
  if (path.subresource === 'scale' && scale) {
    const own = scaleConfiguration(request, config, scale.specReplicas)
    const written = await runWrite(registry, apply, request, { config: own, force, repeated: body })
    exchange.response.send(200, await writtenScale(written, type, scale, options))
    return
  }
  const written = await runWrite(registry, apply, request, { config, force, repeated: body })
  exchange.response.send(written.created ? 201 : 200, await writtenResponse(written, type, options))
}

/** The configuration of an apply: an object with a kind. */
function readConfiguration({ value }: JsonRead): KubeObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw badRequest('the body of an apply is an object with apiVersion, kind and metadata.name')
  const { apiVersion, kind, metadata } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || apiVersion === '' || kind === '')
    throw badRequest("error decoding the patch: Object 'apiVersion' or 'kind' is missing")
  if (metadata !== undefined && (metadata === null || typeof metadata !== 'object' || Array.isArray(metadata)))
    throw badRequest('metadata must be an object')
  return { ...value, apiVersion, kind, metadata: { ...metadata } } as KubeObject
}
