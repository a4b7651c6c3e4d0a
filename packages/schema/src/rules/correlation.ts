// A value and the one that it was before, for rules of updates: what did not change may stay as it is though a rule refuses it
// now (ratcheting).

import type { SchemaNode } from '../compile/schema-node.ts'
import { isUnchanged } from '../validate/correlate.ts'

export class Correlation {
  readonly #node: SchemaNode
  readonly #value: unknown
  readonly #old: unknown
  #unchanged: boolean | undefined

  constructor(node: SchemaNode, value: unknown, old: unknown) {
    this.#node = node
    this.#value = value
    this.#old = old
  }

  get isUnchanged(): boolean {
    this.#unchanged ??= this.#value === this.#old || isUnchanged(this.#node, this.#value, this.#old)
    return this.#unchanged
  }
}
