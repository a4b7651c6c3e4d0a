// The scale subresource: replicas of any resource, seen as an autoscaling/v1 Scale.

import type { JsonValue, KubeObject } from '@homeostat/meta'
import { failure } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType, ScalePaths } from './resource-type.ts'
import { selectorText } from './selector-text.ts'
import { readAs } from './versions.ts'

export interface Scale {
  readonly apiVersion: 'autoscaling/v1'
  readonly kind: 'Scale'
  readonly metadata: object
  /** Absent replicas mean none are set. */
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

export function scaleStored(object: CachedObject, type: ResourceType, paths: ScalePaths): Scale {
  return scaleOf(readAs(object, type), paths)
}

/** The Scale of a written object. */
export function readScale(
  written: { readonly stored: CachedObject } | { readonly object: KubeObject },
  type: ResourceType,
  paths: ScalePaths,
): Scale {
  return 'stored' in written ? scaleStored(written.stored, type, paths) : scaleOf(written.object, paths)
}

/** Scale paths have only dots and field names. */
function readPath(object: KubeObject, path: string): JsonValue | undefined {
  let value: unknown = object
  for (const part of path.split('.').filter(Boolean))
    value = (value as Record<string, unknown> | undefined | null)?.[part]
  return value as JsonValue | undefined
}
