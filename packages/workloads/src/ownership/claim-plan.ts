// Decides which objects belong to a controller: those it owns and selects. It adopts selected objects without an owner, and
// releases owned ones that it no longer selects. Pure; deployments claim replica sets with it, replica sets claim pods.

import type { ApiObject } from '@homeostat/client'
import { labelSelector, type OwnerReference } from '@homeostat/meta'
import { requirementsOf, type Selector } from '../kinds.ts'

export interface Claims<T> {
  /** Owned and selected. */
  readonly kept: readonly T[]
  readonly adopted: readonly T[]
  readonly released: readonly T[]
}

export function planClaims<T extends ApiObject>(
  owner: ApiObject & { spec?: { selector?: Selector } },
  candidates: readonly T[],
): Claims<T> {
  const selector = labelSelector(requirementsOf(owner.spec?.selector ?? {}))
  const going = owner.metadata.deletionTimestamp !== undefined
  const kept: T[] = []
  const adopted: T[] = []
  const released: T[] = []
  for (const candidate of candidates) {
    const selected = selector.matches(candidate.metadata.labels)
    const controller = controllerOf(candidate)
    if (controller) {
      if (controller.uid !== owner.metadata.uid) continue
      if (selected) kept.push(candidate)
      else if (!going) released.push(candidate)
    } else if (selected && !going && candidate.metadata.deletionTimestamp === undefined) adopted.push(candidate)
  }
  return { kept, adopted, released }
}

export function controllerOf(object: ApiObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)
}

export function controllerReference(owner: ApiObject): OwnerReference {
  const { apiVersion, kind } = owner
  const { name = '', uid = '' } = owner.metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}
