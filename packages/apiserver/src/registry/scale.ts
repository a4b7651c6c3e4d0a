// The scale subresource: replicas of any resource, seen and set as an autoscaling/v1 Scale.

import { conflict, failure, invalid, invalidValue, type JsonValue, type KubeObject } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Registry } from './registry.ts'
import type { ResourceType, ScalePaths } from './resource-type.ts'
import { selectorText } from './selector-text.ts'
import { updateObject } from './update.ts'
import { readAs } from './versions.ts'
import type { WriteRequest } from './write-request.ts'

export interface Scale {
  readonly apiVersion: 'autoscaling/v1'
  readonly kind: 'Scale'
  readonly metadata: object
  /** None is said by leaving it out. */
  readonly spec: { replicas?: number }
  readonly status: { replicas: number; selector?: string }
}

export function scaleOf(object: KubeObject, paths: ScalePaths): Scale {
  const replicas = readPath(object, paths.specReplicas)
  if (replicas === undefined) throw failure(500, `the spec replicas field "${paths.specReplicas}" does not exist`)
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = paths.labelSelector === undefined ? undefined : readPath(object, paths.labelSelector)
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: Number(replicas) === 0 ? {} : { replicas: Number(replicas) },
    status: {
      replicas: Number(readPath(object, paths.statusReplicas) ?? 0),
      ...(selector !== undefined && { selector: typeof selector === 'string' ? selector : selectorText(selector) }),
    },
  }
}

/** Applies a change to the Scale view of the object and carries its replicas back. */
export async function updateScale(
  registry: Registry,
  request: WriteRequest,
  paths: ScalePaths,
  change: (scale: JsonValue) => JsonValue,
): Promise<Scale> {
  const { type } = request
  const written = await updateObject(
    registry,
    { ...request, subresource: undefined, fieldValidation: 'Ignore' },
    (old) => {
      const next = change(scaleOf(old, paths) as unknown as JsonValue) as unknown as Partial<Scale> & {
        metadata?: { resourceVersion?: string; uid?: string }
      }
      const { resourceVersion, uid } = next.metadata ?? {}
      const stale =
        (resourceVersion && resourceVersion !== old.metadata.resourceVersion) || (uid && uid !== old.metadata.uid)
      if (stale)
        throw conflict(
          { group: type.group, resource: type.resource },
          request.name ?? '',
          'the object has been modified; please apply your changes to the latest version and try again',
        )
      const replicas = next.spec?.replicas ?? 0
      if (!Number.isInteger(replicas)) {
        throw invalid({ group: 'autoscaling', kind: 'Scale' }, request.name ?? '', [
          invalidValue('spec.replicas', replicas, 'must be an integer'),
        ])
      }
      return writePath(structuredClone(old), paths.specReplicas, replicas)
    },
    { writtenAs: 'scale' },
  )
  return 'stored' in written ? scaleStored(written.stored, type, paths) : scaleOf(written.object, paths)
}

export function scaleStored(object: CachedObject, type: ResourceType, paths: ScalePaths): Scale {
  return scaleOf(readAs(object, type), paths)
}

/** Scale paths are plain: dots and field names. */
function readPath(object: KubeObject, path: string): JsonValue | undefined {
  let value: unknown = object
  for (const part of path.split('.').filter(Boolean))
    value = (value as Record<string, unknown> | undefined | null)?.[part]
  return value as JsonValue | undefined
}

function writePath(object: KubeObject, path: string, value: number): KubeObject {
  const parts = path.split('.').filter(Boolean)
  const last = parts.pop() as string
  let parent = object as Record<string, unknown>
  for (const part of parts) {
    parent[part] ??= {}
    parent = parent[part] as Record<string, unknown>
  }
  parent[last] = value
  return object
}
