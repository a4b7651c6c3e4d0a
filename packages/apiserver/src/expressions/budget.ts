// What the expressions of one decision may cost together, and when it is time to yield to the event loop between them.

import { type CelError, type CelProgram, type Evaluation, perCallCostLimit } from '@homeostat/cel/without-compiler'

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** So much cost takes a few milliseconds. */
const COST_PER_STEP = 50_000
/** What an evaluation takes besides its expression, in units of cost. */
const COST_OF_CALL = 100

/** Counts the work of a whole request: policies that are cheap one by one are many. */
export class WorkMeter {
  #spent = 0

  add(cost: number): void {
    this.#spent += cost + COST_OF_CALL
  }

  get isStepDue(): boolean {
    if (this.#spent < COST_PER_STEP) return false
    this.#spent = 0
    return true
  }
}

export type Outcome =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: CelError }

export class Budget {
  readonly #meter: WorkMeter
  #left: number

  constructor(left: number, meter: WorkMeter) {
    this.#left = left
    this.#meter = meter
  }

  /** Counts what a part of an expression cost that was evaluated apart from it. */
  spend(cost: number): void {
    this.#meter.add(cost)
    this.#left -= cost
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /** Undefined when the budget does not suffice; then nothing else may be evaluated. */
  evaluate(program: CelProgram, bindings: Readonly<Record<string, unknown>>): Outcome | undefined {
    const result: Evaluation = program.evaluate(bindings, perCallCostLimit)
    this.spend(result.cost)
    if (this.isSpent) return undefined
    return result.error === undefined ? { value: result.value } : { error: result.error }
  }
}
