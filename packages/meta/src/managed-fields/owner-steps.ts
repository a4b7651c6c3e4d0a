// Caches how a write changes a list of owners. Objects of one kind share their lists, and a client that writes many of them
// changes each list in the same way: the first write of a second computes the new list, the others reuse it.

import type { MapType } from '../merge/merge-type.ts'
import { equalSets, type FieldSet } from './field-set.ts'
import type { Identity, Owner } from './managed-entry.ts'

/** All that the answer depends on beside the list, as long as everybody owns fields of the writer's version. */
export interface OwnerStep {
  readonly identity: Identity
  readonly type: MapType
  readonly mine: FieldSet
  readonly removed: FieldSet
  readonly time: string | undefined
}

export class OwnerSteps {
  readonly #steps = new WeakMap<readonly Owner[], { readonly step: OwnerStep; readonly after: readonly Owner[] }>()

  after(before: readonly Owner[], step: OwnerStep): readonly Owner[] | undefined {
    const known = this.#steps.get(before)
    return known !== undefined && isSameStep(known.step, step) ? known.after : undefined
  }

  /** The list must not be changed from now on. */
  remember(before: readonly Owner[], step: OwnerStep, after: readonly Owner[]): void {
    const { apiVersion } = step.identity
    // In another version the fields of others depend on the objects themselves.
    if (before.some((owner) => owner.apiVersion !== apiVersion)) return
    Object.freeze(after)
    this.#steps.set(before, { step, after })
  }
}

function isSameStep(a: OwnerStep, b: OwnerStep): boolean {
  return (
    a.time === b.time &&
    a.type === b.type &&
    a.identity.manager === b.identity.manager &&
    a.identity.operation === b.identity.operation &&
    a.identity.apiVersion === b.identity.apiVersion &&
    a.identity.subresource === b.identity.subresource &&
    equalSets(a.mine, b.mine) &&
    equalSets(a.removed, b.removed)
  )
}
