// One evaluation: what the variables are bound to, the variables of comprehensions, and the cost so far.

import type { Value } from '../values/value.ts'

/** Patterns that one evaluation compiles at no cost: about 10 ms. */
const freePatterns = 1000
const patternCost = 250

export class Frame {
  cost = 0
  readonly limit: number
  readonly bindings: Readonly<Record<string, unknown>>
  /** Of comprehensions, by the slot that the compiler gave each. */
  readonly locals: (Value | undefined)[]
  #pattern: Value | undefined
  #patterns = 0

  constructor(bindings: Readonly<Record<string, unknown>>, limit: number, slots: number) {
    this.bindings = bindings
    this.limit = limit
    this.locals = new Array(slots)
  }

  /** A pattern that a value brings has to be compiled, which Kubernetes does not charge; after many of them it costs here. */
  chargePattern(pattern: Value): void {
    if (pattern === this.#pattern) return
    this.#pattern = pattern
    if (++this.#patterns > freePatterns) this.charge(patternCost)
  }

  charge(cost: number): void {
    this.cost += cost
    if (this.cost > this.limit) throw new LimitExceeded()
  }
}

/** Ends an evaluation from any depth. */
export class LimitExceeded {}

/** Ends an evaluation where Kubernetes' own code would not go on. */
export class Aborted {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

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
