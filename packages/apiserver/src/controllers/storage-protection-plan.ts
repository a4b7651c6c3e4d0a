// Decides whether a claim, a volume or a VolumeAttributesClass is still in use. Pure: the controller beside it asks.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf } from '../builtin/fields-of.ts'
import type { ProtectedResource } from '../builtin/rules/in-use-protection.ts'

/** The objects that may use a protected object. */
export interface StorageUsers {
  /** Pods of the object's own namespace. */
  readonly pods: readonly KubeObject[]
  readonly claims: readonly KubeObject[]
  readonly volumes: readonly KubeObject[]
}

export function isInUse(resource: ProtectedResource, object: KubeObject, users: StorageUsers): boolean {
  const name = object.metadata.name ?? ''
  switch (resource) {
    case 'persistentvolumeclaims':
      return users.pods.some((pod) => mounts(pod, name))
    case 'persistentvolumes':
      return fieldsOf(object.status).phase === 'Bound'
    case 'volumeattributesclasses':
      return [...users.claims, ...users.volumes].some((user) => hasAttributesOf(user, name))
  }
}

/** A Pod that has ended uses nothing, although its spec still names claims. */
function mounts(pod: KubeObject, claim: string): boolean {
  const { phase } = fieldsOf(pod.status)
  if (phase === 'Succeeded' || phase === 'Failed') return false
  return listOf(fieldsOf(pod.spec).volumes).some((volume) => {
    const { persistentVolumeClaim, ephemeral, name } = fieldsOf(volume)
    if (ephemeral !== undefined) return `${pod.metadata.name}-${name}` === claim
    return fieldsOf(persistentVolumeClaim).claimName === claim
  })
}

function hasAttributesOf({ spec, status }: KubeObject, name: string): boolean {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = fieldsOf(status)
  const target = fieldsOf(modifyVolumeStatus).targetVolumeAttributesClassName
  return [fieldsOf(spec).volumeAttributesClassName, currentVolumeAttributesClassName, target].includes(name)
}
