// Carries out claims: finds candidates in the informer, adopts and releases, and returns the objects that the controller
// then owns. Candidates come from an index, so that other pods of the namespace cost nothing.

import type { ApiObject, Informer } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Cluster } from '@homeostat/operator'
import type { Selector } from '../kinds.ts'
import { controllerOf, controllerReference, planClaims } from './claim-plan.ts'

const INDEX = 'workloads/controller'

/** The informer of a kind, with the index of claims. */
export function claimable<T extends ApiObject>(cluster: Cluster, apiVersion: string, kind: string): Informer<T> {
  const informer = cluster.informer<T>(apiVersion, kind)
  informer.addIndex(INDEX, (object) => [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)])
  return informer
}

/** The objects that the controller owns or could adopt. */
export function candidates<T extends ApiObject>(informer: Informer<T>, owner: ApiObject): T[] {
  const { uid = '', namespace } = owner.metadata
  return [...informer.byIndex(INDEX, uid), ...informer.byIndex(INDEX, orphansOf(namespace))]
}

export async function claim<T extends ApiObject>(
  cluster: Cluster,
  owner: ApiObject & { spec?: { selector?: Selector } },
  all: readonly T[],
  signal: AbortSignal,
): Promise<T[]> {
  const { kept, adopted, released } = planClaims(owner, all)
  const reference = controllerReference(owner)
  const own = [...kept]
  for (const object of adopted) {
    // The uid is a precondition: another object of the same name is not adopted by mistake.
    const patch = { metadata: { uid: object.metadata.uid, ownerReferences: [reference] } }
    const taken = await change(cluster, object, patch, signal)
    if (taken) own.push(taken)
  }
  for (const object of released) {
    const gone = { $patch: 'delete', uid: reference.uid }
    await change(cluster, object, { metadata: { uid: object.metadata.uid, ownerReferences: [gone] } }, signal)
  }
  return own
}

async function change<T extends ApiObject>(
  cluster: Cluster,
  object: T,
  patch: unknown,
  signal: AbortSignal,
): Promise<T | undefined> {
  const { name = '', namespace } = object.metadata
  try {
    const access = cluster.client.resourceOf<T>(object.apiVersion, object.kind)
    const changed = await access.patch({ name, namespace }, patch, {
      type: 'strategic',
      signal,
      fieldManager: cluster.fieldManager,
    })
    cluster.wrote(changed)
    return changed
  } catch (error) {
    // The object was deleted, or replaced by another one of the same name; that change triggers the next reconcile.
    if (isGone(error)) return undefined
    throw error
  }
}

/** The object of a patch with a uid does not exist, or is another one. */
export function isGone(error: unknown): boolean {
  return isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict') || isStatusError(error, 'Invalid')
}

function orphansOf(namespace = ''): string {
  return `orphans of ${namespace}`
}
