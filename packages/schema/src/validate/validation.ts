// One run of validation: where it stands and what it found. Bounded, so that a hostile object cannot make a huge answer.

import { type Cause, invalidValue } from '@homeostat/meta/server'
import { FieldPath } from '../compile/field-path.ts'

export const MAX_CAUSES = 100

/** Steps of regular expressions for one object: some 50 ms at worst. */
const PATTERN_BUDGET = 16_000_000

/** Places of one object that are checked, each branch of anyOf and the like counted again. */
const MAX_STEPS = 400_000

/** What a real server writes for an error that belongs to no field. */
const NO_FIELD = '<nil>'

const UNTOLD: Cause = { reason: '', field: '', message: '' }

export class Validation {
  readonly path = new FieldPath()
  /** Whether the old value is related to the new one. If not, all it says is which parts are the very same. */
  readonly relates: boolean
  readonly #prefix: string
  #budget = PATTERN_BUDGET
  #steps = 0
  causes: Cause[] = []
  /** A branch of anyOf and the like is tried: what is wrong with it is counted and not told. */
  trying = false
  /** Schema places that were checked: tells which failed branch came closest. */
  checked = 0

  constructor(prefix = '', relates = false) {
    this.#prefix = prefix
    this.relates = relates
  }

  /** Takes from the budget for regular expressions; false when it does not suffice. */
  spend(steps: number): boolean {
    if (steps > this.#budget) return false
    this.#budget -= steps
    return true
  }

  get full(): boolean {
    return this.causes.length >= MAX_CAUSES
  }

  /** Counts a place that is checked; false when there have been too many, as branches within branches can make. */
  step(): boolean {
    return ++this.#steps <= MAX_STEPS
  }

  /** Whether the value was not checked to its end. */
  get exhausted(): boolean {
    return this.#steps > MAX_STEPS
  }

  /** The path inside the object, as messages name it. */
  get name(): string {
    return this.path.toString()
  }

  get field(): string {
    return this.fieldOf(this.name)
  }

  fieldOf(name: string): string {
    if (name === '') return this.#prefix === '' ? NO_FIELD : this.#prefix
    if (this.#prefix === '') return name
    return name.startsWith('[') ? this.#prefix + name : `${this.#prefix}.${name}`
  }

  add(cause: Cause): void {
    if (this.full) return
    const same = this.causes.some((one) => one.field === cause.field && one.message === cause.message)
    if (!same) this.causes.push(cause)
  }

  /** Adds what is wrong. While a branch is tried nobody reads it, and making its text would take most of the time. */
  fail(make: () => Cause): void {
    if (!this.trying) this.add(make())
    else if (!this.full) this.causes.push(UNTOLD)
  }

  /** An error about the value as a whole, which a real server reports without a field. */
  addWhole(detail: () => string): void {
    this.fail(() => invalidValue(this.#prefix === '' ? NO_FIELD : this.#prefix, '', detail()))
  }
}
