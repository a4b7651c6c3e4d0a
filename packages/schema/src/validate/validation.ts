// The state of one validation: its path and its causes. Bounded, so that a hostile object cannot cause a huge response.

import { type Cause, invalidValue } from '@homeostat/meta/server'
import { FieldPath } from '../compile/field-path.ts'

export const MAX_CAUSES = 100

/** Steps of regular expressions for one object: some 50 ms at worst. */
const PATTERN_BUDGET = 16_000_000

/** Checks of one value against one node; every branch of anyOf and the like counts again. */
const MAX_STEPS = 400_000

/** What kube-apiserver writes for an error without a field. */
const NO_FIELD = '<nil>'

const UNREPORTED: Cause = { reason: '', field: '', message: '' }

export class Validation {
  readonly path = new FieldPath()
  /** Whether items of the old value are matched with the new ones. If not, only identical parts count as unchanged. */
  readonly relates: boolean
  readonly #prefix: string
  #budget = PATTERN_BUDGET
  #steps = 0
  causes: Cause[] = []
  /** A branch of anyOf and the like is being tried: its errors are counted, not reported. */
  trying = false
  /** Keywords checked so far: the failed branch with the most came closest. */
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

  /** Counts a check; false beyond the limit, which nested branches can reach. */
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

  /** Adds a cause. While a branch is tried its text is not built, which would take most of the time. */
  fail(make: () => Cause): void {
    if (!this.trying) this.add(make())
    else if (!this.full) this.causes.push(UNREPORTED)
  }

  /** An error about the value as a whole, which kube-apiserver reports without a field. */
  addWhole(detail: () => string): void {
    this.fail(() => invalidValue(this.#prefix === '' ? NO_FIELD : this.#prefix, '', detail()))
  }
}
