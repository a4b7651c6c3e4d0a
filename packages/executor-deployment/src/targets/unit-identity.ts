// Maps units of a runtime to ExecutorDeployments by name and labels alone, so that a controller finds them again after a
// crash. Pure.

import type { UnitState } from '@homeostat/runtimes'

/** The owner of a unit. */
export interface Owner {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly generation: number
}

export const UID_LABEL = 'colonies.io/deployment-uid'
const NAME_LABEL = 'colonies.io/deployment-name'
const NAMESPACE_LABEL = 'colonies.io/colony'
const GENERATION_LABEL = 'colonies.io/generation'
const INDEX_LABEL = 'colonies.io/index'
export const HASH_LABEL = 'colonies.io/template-hash'

/** An executor's name is a part of the names of its Lease and of its unit's folder. */
const LONGEST_NAME = 180

export function unitName({ name, uid }: Owner, index: number): string {
  return `${deploymentName({ name, uid })}-${index}`
}

/** `<name>-<first eight of the uid>`, so that a later resource of the same name gets other units. */
export function deploymentName({ name, uid }: Pick<Owner, 'name' | 'uid'>, longest = LONGEST_NAME): string {
  return `${name.slice(0, longest)}-${uid.slice(0, 8)}`
}

export function unitLabels(owner: Owner, index: number, hash: string): Record<string, string> {
  return {
    [UID_LABEL]: owner.uid,
    [NAME_LABEL]: owner.name,
    [NAMESPACE_LABEL]: owner.namespace,
    [GENERATION_LABEL]: String(owner.generation),
    [INDEX_LABEL]: String(index),
    [HASH_LABEL]: hash,
  }
}

/** The labels of all units of one namespace. */
export function namespaceLabels(namespace: string): Record<string, string> {
  return { [NAMESPACE_LABEL]: namespace }
}

type Labelled = Pick<UnitState, 'labels'>

export function hashOf({ labels }: Labelled): string {
  return labels[HASH_LABEL] ?? ''
}

export function indexOf({ labels }: Labelled): number {
  return Number(labels[INDEX_LABEL] ?? 0)
}

export function generationOf({ labels }: Labelled): number {
  return Number(labels[GENERATION_LABEL] ?? 0)
}
