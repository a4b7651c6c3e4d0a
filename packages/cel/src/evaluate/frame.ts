// One evaluation: what the variables are bound to, the variables of comprehensions, and the cost so far.

import type { Value } from '../values/value.ts'

/** What one evaluation may have at no cost although it takes long: about 10 ms of each. */
const free = { patterns: 1000, zones: 100, zoneLookups: 3000, characters: 10_000_000 }
/** What each further one costs. */
const price = { pattern: 250, zone: 2500, zoneLookup: 100, character: 1 / 20 }

export class Frame {
  cost = 0
  readonly limit: number
  readonly bindings: Readonly<Record<string, unknown>>
  /** Of comprehensions, by the slot that the compiler gave each. */
  readonly locals: (Value | undefined)[]
  #pattern: Value | undefined
  #patterns = 0
  #zone: Value | undefined
  #zones = 0
  #zoneLookups = 0
  #characters = 0

  constructor(bindings: Readonly<Record<string, unknown>>, limit: number, slots: number) {
    this.bindings = bindings
    this.limit = limit
    this.locals = new Array(slots)
  }

  /** A pattern that a value brings has to be compiled, which Kubernetes does not charge. */
  chargePattern(pattern: Value): void {
    if (pattern === this.#pattern) return
    this.#pattern = pattern
    if (++this.#patterns > free.patterns) this.charge(price.pattern)
  }

  /** The offset of a time zone has to be looked up, and the zone first where the one before was another. */
  chargeZone(zone: Value): void {
    if (++this.#zoneLookups > free.zoneLookups) this.charge(price.zoneLookup)
    if (zone === this.#zone) return
    this.#zone = zone
    if (++this.#zones > free.zones) this.charge(price.zone)
  }

  /** A long text is walked through by a function that costs the same for every text. */
  chargeCharacters(count: number): void {
    this.#characters += count
    if (this.#characters > free.characters) this.charge(Math.ceil(count * price.character))
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
