// Plans what the garbage collector does about one object: as an owner that waits for its dependents, or as a dependent
// whose owners may be gone. Pure: the collector reads, asks here, and acts.

import type { ObjectMeta, OwnerReference } from '@homeostat/meta'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion-plan.ts'

/**
 * solid: the owner exists. waiting: it exists and waits for its dependents to be deleted. absent: there is no object of
 * that name and uid. misplaced: a namespaced owner of a cluster-scoped object. unknown: its kind is not served.
 */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'misplaced' | 'unknown'

export interface GarbageView {
  readonly metadata: ObjectMeta
  ownerState(reference: OwnerReference): OwnerState
  /** Whether anything depends on the object. */
  readonly hasDependents: boolean
  /** Whether a dependent blocks its deletion (blockOwnerDeletion). */
  readonly blocked: boolean
  /** Whether a dependent waits for its own dependents: the references may form a cycle. */
  dependentsWait(): boolean
}

export type GarbageAction =
  /** Do nothing until something changes. */
  | { readonly do: 'nothing' }
  /** Plan again when more kinds are served. */
  | { readonly do: 'await kinds' }
  /** Keep the owner until its dependents are deleted. */
  | { readonly do: 'await dependents' }
  /** Remove the references of its dependents to it, then release it. */
  | { readonly do: 'orphan dependents' }
  | { readonly do: 'release'; readonly finalizer: string }
  /** Remove the references to these owners. */
  | { readonly do: 'drop owners'; readonly uids: ReadonlySet<string> }
  /** `unblock`: first clear blockOwnerDeletion in its own references, which breaks a cycle. */
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
    // Drops waiting owners too: this object stays, so that they must not wait for it.
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
