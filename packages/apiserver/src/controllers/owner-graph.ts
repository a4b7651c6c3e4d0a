// Who owns whom: the objects that have owners, and for each owner those that depend on it. Nothing else is in it, so
// that it costs nothing where nobody owns anything. Fed by the garbage collector, in the order of commits.

import type { OwnerReference } from '@homeostat/meta'

/** What the graph keeps of an object that has owners. */
export interface Owned {
  readonly uid: string
  readonly owners: readonly OwnerReference[]
  /** It waits for its own dependents to go. */
  readonly deletingDependents: boolean
}

/** Where an owner was before it was deleted. */
export interface DeletedOwner {
  readonly group: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
}

interface Dependents {
  /** Each with whether it holds up the owner's deletion. */
  readonly keys: Map<string, boolean>
  blocking: number
  gone?: DeletedOwner
}

export class OwnerGraph {
  readonly #owned = new Map<string, Owned>()
  readonly #dependents = new Map<string, Dependents>()

  /** Objects that have owners. */
  get size(): number {
    return this.#owned.size
  }

  get(key: string): Owned | undefined {
    return this.#owned.get(key)
  }

  /** Says what the object's owners are now. Undefined: it has none, or is not there any more. */
  set(key: string, owned: Owned | undefined): void {
    const before = this.#owned.get(key)
    if (before) for (const { uid } of before.owners) this.#unlink(uid, key)
    if (owned) {
      for (const reference of owned.owners) this.#link(reference, key)
      this.#owned.set(key, owned)
    } else this.#owned.delete(key)
  }

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid)
  }

  /** A copy: the graph may change while the caller goes through it. */
  dependentsOf(uid: string): string[] {
    return [...(this.#dependents.get(uid)?.keys.keys() ?? [])]
  }

  /** Whether any dependent holds up the deletion of its owner. */
  isBlocked(uid: string): boolean {
    return (this.#dependents.get(uid)?.blocking ?? 0) > 0
  }

  /** Whether any dependent waits for dependents of its own. */
  dependentsWait(uid: string): boolean {
    for (const key of this.#dependents.get(uid)?.keys.keys() ?? []) {
      if (this.#owned.get(key)?.deletingDependents) return true
    }
    return false
  }

  /** Remembered while it has dependents: its kind may not be served any more when they are looked at. */
  ownerGone(uid: string, place: DeletedOwner): void {
    const dependents = this.#dependents.get(uid)
    if (dependents) dependents.gone = place
  }

  goneOwner(uid: string): DeletedOwner | undefined {
    return this.#dependents.get(uid)?.gone
  }

  #link({ uid, blockOwnerDeletion }: OwnerReference, key: string): void {
    const dependents = this.#dependents.get(uid) ?? { keys: new Map<string, boolean>(), blocking: 0 }
    this.#dependents.set(uid, dependents)
    const before = dependents.keys.get(key) === true
    const blocks = before || blockOwnerDeletion === true
    dependents.keys.set(key, blocks)
    if (blocks && !before) dependents.blocking++
  }

  #unlink(uid: string, key: string): void {
    const dependents = this.#dependents.get(uid)
    const blocked = dependents?.keys.get(key)
    if (!dependents || blocked === undefined) return
    dependents.keys.delete(key)
    if (blocked) dependents.blocking--
    if (dependents.keys.size === 0) this.#dependents.delete(uid)
  }
}
