// A write to the scale subresource: replicas of any resource, set as an autoscaling/v1 Scale.

import { conflict, invalid, invalidValue, type JsonValue, type KubeObject } from '@homeostat/meta'
import type { Registry } from './registry.ts'
import type { ScalePaths } from './resource-type.ts'
import { type Scale, scaleOf, scaleStored } from './scale.ts'
import { updateObject } from './update.ts'
import type { WriteRequest } from './write-request.ts'

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
