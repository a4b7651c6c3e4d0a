// How the units of a runtime and ExecutorDeployments are tied together: by name and labels alone, so that whoever comes
// after a crash finds what is there. Pure.

import type { UnitState } from '@homeostat/runtimes'

/** What runs is whose. */
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

/** An executor's name goes into the name of its Lease and, as a unit, into that of a folder. */
const LONGEST_NAME = 180

export function unitName({ name, uid }: Owner, index: number): string {
  return `${deploymentName({ name, uid })}-${index}`
}

/** `<name>-<first eight of the uid>`: what is made for a resource of the same name later is something else. */
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

/** What all units for one namespace have. */
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
