// Decides what the garbage collector does about one object: as an owner that waits for its dependents, or as a
// dependent whose owners may be gone. Pure: the collector looks, asks here, and acts.

import type { ObjectMeta, OwnerReference } from '@homeostat/meta'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion-plan.ts'

/**
 * solid: it is there. waiting: it is there, and waits for its dependents to go. absent: nothing is at that place, or
 * something else. misplaced: a namespaced owner of an object without a namespace. unknown: its kind is not served.
 */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'misplaced' | 'unknown'

export interface GarbageView {
  readonly metadata: ObjectMeta
  ownerState(reference: OwnerReference): OwnerState
  /** Whether anything depends on the object. */
  readonly hasDependents: boolean
  /** Whether a dependent holds up its deletion. */
  readonly blocked: boolean
  /** Whether a dependent waits for its own dependents: there may be a circle. */
  dependentsWait(): boolean
}

export type GarbageAction =
  /** There is nothing to do until something changes. */
  | { readonly do: 'nothing' }
  /** Somebody has to be asked again when more kinds are served. */
  | { readonly do: 'await kinds' }
  /** An owner that is held until its dependents are gone. */
  | { readonly do: 'await dependents' }
  /** Its dependents shall not refer to it any more; then it is let go. */
  | { readonly do: 'orphan dependents' }
  | { readonly do: 'release'; readonly finalizer: string }
  /** References to these owners are taken out. */
  | { readonly do: 'drop owners'; readonly uids: ReadonlySet<string> }
  /** `unblock`: first it must not hold up its owners any more. */
  | { readonly do: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan'; readonly unblock: boolean }

const NOTHING: GarbageAction = { do: 'nothing' }

export function planGarbage(view: GarbageView): GarbageAction {
  const { deletionTimestamp, finalizers = [], ownerReferences = [] } = view.metadata
  if (deletionTimestamp !== undefined) {
    if (finalizers.includes(ORPHAN_FINALIZER)) return { do: 'orphan dependents' }
    if (!finalizers.includes(FOREGROUND_FINALIZER)) return NOTHING
    return view.blocked ? { do: 'await dependents' } : { do: 'release', finalizer: FOREGROUND_FINALIZER }
  }
  if (ownerReferences.length === 0) return NOTHING
  const states = ownerReferences.map((reference) => view.ownerState(reference))
  if (states.includes('misplaced')) return NOTHING
  if (states.includes('unknown')) return { do: 'await kinds' }
  if (states.includes('solid')) {
    // Those that wait too: this object will not go, and they shall not wait for it.
    const lost = ownerReferences.filter((_, i) => states[i] !== 'solid')
    return lost.length === 0 ? NOTHING : { do: 'drop owners', uids: new Set(lost.map(({ uid }) => uid)) }
  }
  if (states.includes('waiting') && view.hasDependents) {
    return { do: 'delete', policy: 'Foreground', unblock: view.dependentsWait() }
  }
  return { do: 'delete', policy: policyFrom(finalizers), unblock: false }
}

function policyFrom(finalizers: readonly string[]): 'Background' | 'Foreground' | 'Orphan' {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan'
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background'
}
