// One evaluation: what the variables are bound to, the variables of comprehensions, and the cost so far.

import type { Value } from '../values/value.ts'

export class Frame {
  cost = 0
  readonly limit: number
  readonly bindings: Readonly<Record<string, unknown>>
  /** Of comprehensions, by the slot that the compiler gave each. */
  readonly locals: (Value | undefined)[]

  constructor(bindings: Readonly<Record<string, unknown>>, limit: number, slots: number) {
    this.bindings = bindings
    this.limit = limit
    this.locals = new Array(slots)
  }

  charge(cost: number): void {
    this.cost += cost
    if (this.cost > this.limit) throw new LimitExceeded()
  }
}

/** Ends an evaluation from any depth. */
export class LimitExceeded {}

export type Run = (frame: Frame) => Value

/**
 * A compiled part. CEL charges names and the selections on them as one attribute, at its end, and not where another attribute goes on with
 * it; `bare` evaluates without that last charge.
 */
export interface Part {
  readonly run: Run
  readonly attribute?: { readonly bare: Run; readonly isConditional: boolean }
  readonly constant?: { readonly value: Value }
}
