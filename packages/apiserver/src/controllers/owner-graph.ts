// The objects that have owners, and for each owner its dependents. It holds nothing else, so that it costs nothing
// without owner references. The garbage collector updates it in the order of commits.

import type { OwnerReference } from '@homeostat/meta'

/** What the graph keeps of an object with owners. */
export interface Owned {
  readonly uid: string
  readonly owners: readonly OwnerReference[]
  /** Whether it waits for its own dependents (foreground deletion). */
  readonly deletingDependents: boolean
}

/** The last known place of a deleted owner. */
export interface DeletedOwner {
  readonly group: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
}

interface Dependents {
  /** Dependents by key, each with whether it blocks the owner's deletion. */
  readonly keys: Map<string, boolean>
  blocking: number
  gone?: DeletedOwner
}

export class OwnerGraph {
  readonly #owned = new Map<string, Owned>()
  readonly #dependents = new Map<string, Dependents>()

  /** The number of objects with owners. */
  get size(): number {
    return this.#owned.size
  }

  get(key: string): Owned | undefined {
    return this.#owned.get(key)
  }

  /** Sets the object's owners. Undefined: it has none or is deleted. */
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

  /** Whether any dependent blocks the deletion of its owner. */
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

  /** Kept while the owner has dependents: its kind may not be served any more when they are reconciled. */
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
