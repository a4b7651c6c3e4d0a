// What the garbage collector tells of one object: which owners it lost, and what became of it. Pure.

import type { ObjectMeta } from '@homeostat/meta'
import type { RunRecord } from '@homeostat/meta/events'
import type { GarbageAction } from './garbage-plan.ts'

/** Undefined for what is a step of somebody else's deletion, such as the release of a finalizer. */
export function collectedRun(
  action: GarbageAction,
  kind: { readonly apiVersion: string; readonly kind: string },
  { name = '', namespace, ownerReferences = [] }: ObjectMeta,
): RunRecord | undefined {
  if (action.do !== 'delete' && action.do !== 'drop owners') return undefined
  const lost = action.do === 'delete' ? ownerReferences : ownerReferences.filter(({ uid }) => action.uids.has(uid))
  const place = namespace === undefined ? {} : { namespace }
  const isWaiting = action.do === 'delete' && action.policy === 'Foreground'
  return {
    triggers: lost.map(({ apiVersion, kind: ownerKind, name: owner }) => ({
      text: `its owner ${ownerKind} ${owner} ${isWaiting ? 'waits for it to go' : 'is gone'}`,
      object: { apiVersion, kind: ownerKind, name: owner, ...place },
    })),
    writes: [{ did: action.do === 'delete' ? 'deleted' : 'updated', object: { ...kind, ...place, name } }],
  }
}
