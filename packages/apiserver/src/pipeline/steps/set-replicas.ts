// A write to the scale subresource: sets the replicas of any resource through an autoscaling/v1 Scale.

import { conflict, invalid, type JsonValue, type KubeObject } from '@homeostat/meta'
import { invalidValue } from '@homeostat/meta/server'
import type { ScalePaths } from '../../registry/resource-type.ts'
import { type Scale, scaleOf } from '../../registry/scale.ts'
import type { Step } from '../write.ts'

export interface ScaleChange {
  readonly paths: ScalePaths
  /** Returns the wanted Scale, given the current one. */
  change(scale: JsonValue): JsonValue
}

/** Changes the Scale of the object and copies its replicas back into the object. */
export const setReplicas: Step<ScaleChange> = (write) => {
  const { type, request, input } = write
  const old = write.old as KubeObject
  const next = input.change(scaleOf(old, input.paths) as unknown as JsonValue) as unknown as Partial<Scale> & {
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
  write.object = writePath(structuredClone(old), input.paths.specReplicas, replicas)
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
