// PATCH by server-side apply: a configuration is merged into what there is, or becomes a new object.

import { yieldBetween, yieldToLoop } from '@homeostat/base'
import { badRequest, conflict, deepClone, isStatusError, type JsonRead, type KubeObject } from '@homeostat/meta'
import { applyConfiguration, applySteps } from '@homeostat/meta/writing'
import { createObject, type Written } from './create.ts'
import { apiVersionOf, decodeObject, reportStrict } from './decode-object.ts'
import { fieldWrite, versionedTypes } from './field-tracking.ts'
import { withoutSecrets } from './redact.ts'
import type { Registry } from './registry.ts'
import { withReplicasOwned } from './scale-fields.ts'
import { customProblems } from './strict-problems.ts'
import { updateObject } from './update.ts'
import { cacheName, type WriteRequest } from './write-request.ts'

export interface ApplyRequest extends WriteRequest {
  /** Take fields from whoever owns them. */
  readonly force: boolean
}

type Repeated = Pick<JsonRead, 'duplicates' | 'repeatedLines'>
const NOTHING_TWICE: Repeated = { duplicates: [] }

/** `repeated` says what the configuration has twice, as it was read. */
export async function applyObject(
  registry: Registry,
  request: ApplyRequest,
  config: KubeObject,
  repeated: Repeated = NOTHING_TWICE,
): Promise<Written & { created?: boolean }> {
  const { type, namespace, name = '' } = request
  const place = cacheName(type, namespace, name)
  checkConfiguration(request, config)
  for (;;) {
    try {
      // With a subresource there is nothing to create: the update says that the object is not there.
      if (request.subresource !== undefined || registry.resource(type).tree.get(place))
        return await updateObject(registry, request, (old) => applied(registry, request, old, config, repeated), {
          applied: true,
        })
    } catch (error) {
      if (request.subresource !== undefined || !isStatusError(error, 'NotFound')) throw error
    }
    refuseUnknown(request, config)
    try {
      const made = await applied(registry, request, undefined, config, repeated)
      return { ...(await createObject(registry, request, made, { applied: true })), created: true }
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists') || !registry.resource(type).tree.get(place)) throw error
    }
  }
}

/** The configuration of a Scale, as one of the object that is scaled. */
export function scaleConfiguration(request: ApplyRequest, scale: KubeObject, specReplicas: string): KubeObject {
  const { type, name = '', namespace } = request
  if (scale.apiVersion !== 'autoscaling/v1' || scale.kind !== 'Scale')
    throw badRequest('the body must be an autoscaling/v1 Scale')
  const metadata = { ...scale.metadata, name, ...(namespace !== undefined && { namespace }) }
  const config: KubeObject = { apiVersion: apiVersionOf(type), kind: type.kind, metadata }
  const replicas = (scale.spec as { replicas?: unknown } | undefined)?.replicas
  if (replicas === undefined) return config
  const parts = specReplicas.split('.').filter(Boolean)
  const last = parts.pop() ?? ''
  let parent: Record<string, unknown> = config
  for (const part of parts) {
    const inner: Record<string, unknown> = {}
    parent[part] = inner
    parent = inner
  }
  parent[last] = replicas
  return config
}

/** The object after the apply; `old` itself when nothing changes. */
async function applied(
  registry: Registry,
  request: ApplyRequest,
  old: KubeObject | undefined,
  config: KubeObject,
  { duplicates, repeatedLines }: Repeated,
): Promise<KubeObject> {
  const { type, force } = request
  const write = { ...fieldWrite(registry, request), force }
  const types = versionedTypes(registry, type)
  const live = old && request.subresource === 'scale' ? withReplicasOwned(registry, type, old) : old
  const merge = async () =>
    request.large
      ? yieldBetween(applySteps(live, config, write, types))
      : applyConfiguration(live, config, write, types)
  const next = await merge().catch((error: unknown) => {
    throw withoutSecrets(type, error)
  })
  // A field that the schema does not know has been refused by now, and comes before what is there twice.
  reportStrict(customProblems([], duplicates), request, repeatedLines)
  if (next === old) return next
  if (request.large) await yieldToLoop()
  // The rules of a kind may change the new object in place; it must not share with the old one.
  const value = deepClone(next) as never
  if (request.large) await yieldToLoop()
  return decodeObject({ value, duplicates: [] }, request)
}

function checkConfiguration(request: ApplyRequest, config: KubeObject): void {
  const { name, namespace } = config.metadata
  if (name !== undefined && name !== '' && name !== request.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`)
  if (request.type.namespaced && namespace && namespace !== request.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

/** Whoever names a uid means an object that exists. */
function refuseUnknown({ type, name = '' }: ApplyRequest, config: KubeObject): void {
  const { uid } = config.metadata
  if (!uid) return
  throw conflict(
    { group: type.group, resource: type.resource },
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  )
}
