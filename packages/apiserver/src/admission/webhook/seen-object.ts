// An object as a webhook sees it: in the version that its rule names, with managed fields, and before it is stored without
// what the server gives it. And back: what a webhook made of it, as the write goes on with it.

import { CelError } from '@homeostat/cel/without-compiler'
import { internalError, type JsonValue, type KubeObject, type ObjectMeta, parseJson, writeJson } from '@homeostat/meta'
import { applyJsonPatch } from '@homeostat/meta/merge'
import type { AdmittedWrite } from '../../registry/admission-step.ts'
import { apiVersionOf, decodeObject } from '../../registry/decode-object.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { scaleOf } from '../../registry/scale.ts'
import { convertBetween } from '../../registry/versions.ts'
import type { Hook } from './hook.ts'

/** The object to store, with managed fields. */
export function completeObject({ object, managedFields }: AdmittedWrite): KubeObject {
  if (managedFields === undefined || managedFields === object.metadata.managedFields) return object
  return { ...object, metadata: { ...object.metadata, managedFields } as ObjectMeta }
}

/** The object of a create as the mutating webhooks of Kubernetes see it, which come before the server's own values. */
export function withoutServerFields(object: KubeObject, generatesName: boolean): KubeObject {
  const { uid: _, creationTimestamp: __, generation: ___, ...metadata } = object.metadata
  if (generatesName) delete metadata.name
  return { ...object, metadata }
}

export function seenAs(
  object: KubeObject,
  from: ResourceType,
  to: ResourceType,
  subresource: string | undefined,
): object | Promise<object> {
  const { scale } = from.subresources
  if (subresource === 'scale' && scale !== undefined) return scaleOf(object, scale)
  return from === to || object.apiVersion === apiVersionOf(to) ? object : convertBetween(object, from, to)
}

/** The same for expressions, which do not wait: they cannot see what only a webhook converts. */
export function seenNow(
  object: KubeObject,
  from: ResourceType,
  to: ResourceType,
  subresource: string | undefined,
): object {
  const seen = object.apiVersion === apiVersionOf(to) || (from.converter ?? to.converter) === undefined
  if (seen) return seenAs(object, from, to, subresource) as object
  throw new CelError(`the object cannot be seen in ${apiVersionOf(to)}, into which only a webhook converts it`)
}

export interface Mutation {
  readonly hook: Hook
  readonly patch: string
  /** What the webhook saw, in which version. */
  readonly seen: KubeObject
  readonly type: ResourceType
}

/** The object after the patch, in the version of the write. Throws a 500 that names the webhook. */
export async function mutated(write: AdmittedWrite, { hook, patch, seen, type }: Mutation): Promise<KubeObject> {
  const { request, object } = write
  const fail = (problem: string, cause?: unknown) =>
    internalError(`admission webhook ${writeJson(hook.name)} ${problem}`, { cause })
  if (request.subresource === 'scale') throw fail('attempted to modify a Scale, which is not supported')
  try {
    const value = applyJsonPatch(seen as unknown as JsonValue, parseJson(patch))
    refuseOtherIdentity(value, seen)
    const bodyType = request.actionBody ?? type
    const decoded = decodeObject({ value, duplicates: [] }, { ...request, type: bodyType, fieldValidation: 'Ignore' })
    const next = type === request.type ? decoded : await convertBetween(decoded, type, request.type)
    next.metadata = ownMetadata(next.metadata, object.metadata, write.operation === 'CREATE')
    ;(request.actionBody ?? request.type).strategy.applyDefaults(next)
    return next
  } catch (error) {
    throw fail(
      `returned a patch that cannot be applied: ${error instanceof Error ? error.message : String(error)}`,
      error,
    )
  }
}

const IDENTITY = ['name', 'namespace'] as const

function refuseOtherIdentity(value: JsonValue, seen: KubeObject): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error('the result is not an object')
  for (const field of ['apiVersion', 'kind'] as const)
    if (value[field] !== seen[field]) throw new Error(`${field} must stay ${writeJson(seen[field])}`)
  const { metadata } = value
  if (metadata === null || typeof metadata !== 'object' || Array.isArray(metadata))
    throw new Error('metadata must stay an object')
  for (const field of IDENTITY)
    if ((metadata[field] ?? '') !== (seen.metadata[field] ?? ''))
      throw new Error(`metadata.${field} must stay ${writeJson(seen.metadata[field] ?? '')}`)
}

/** What the server decides stays as it was, whatever the webhook made of it; managed fields are worked out again. */
function ownMetadata(next: ObjectMeta, before: ObjectMeta, isNew: boolean): ObjectMeta {
  const metadata: Record<string, unknown> = { ...next }
  const kept = isNew
    ? (['name', 'uid', 'creationTimestamp', 'generation', 'managedFields'] as const)
    : (['managedFields'] as const)
  for (const field of kept) {
    if (before[field] !== undefined) metadata[field] = before[field]
    else delete metadata[field]
  }
  return metadata as ObjectMeta
}
