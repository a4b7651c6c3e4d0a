// What a server remembers of managed fields from one write to the next. Objects of one kind that are written in the same second
// own the same fields, have the same text and go through the same step, so that most writes find theirs here: the rows
// create and patch of the benchmark stand on it. A memo and nothing else: without one every result is the same.

import type { MapType } from '../merge/merge-type.ts'
import { CreatedShapes } from './created-shapes.ts'
import type { FieldSet } from './field-set.ts'
import { FieldsTexts } from './fields-text.ts'
import { OwnerSteps } from './owner-steps.ts'
import { reconcileFields } from './reconcile-fields.ts'

export class FieldMemory {
  readonly texts = new FieldsTexts()
  readonly shapes = new CreatedShapes()
  readonly steps = new OwnerSteps()
  readonly #fitting = new WeakMap<FieldSet, { readonly type: MapType; readonly result: FieldSet }>()

  /** As reconcileFields. Sets are shared by many objects and do not change. */
  reconciled(set: FieldSet, type: MapType): FieldSet {
    const known = this.#fitting.get(set)
    if (known?.type === type) return known.result
    const result = reconcileFields(set, type)
    this.#fitting.set(set, { type, result })
    return result
  }
}
