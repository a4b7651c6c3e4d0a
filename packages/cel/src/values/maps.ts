// Maps that expressions make, with keys of all kinds that may be keys. Maps of JSON are in json-values.ts.

import { hashKeyOf } from './hash-key.ts'
import { CelMap, Failure, type Value } from './value.ts'

export class ValueMap extends CelMap {
  readonly #entries = new Map<unknown, readonly [Value, Value]>()

  get size(): number {
    return this.#entries.size
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(hashKeyOf(key))?.[1]
  }

  has(key: Value): boolean {
    return this.#entries.has(hashKeyOf(key))
  }

  keys(): Value[] {
    return Array.from(this.#entries.values(), ([key]) => key)
  }

  /** A failure if the key is no key, or is there already. */
  insert(key: Value, value: Value): Failure | undefined {
    const hash = hashKeyOf(key)
    if (hash === undefined) return new Failure('unsupported key type')
    if (this.#entries.has(hash)) return new Failure(`insert failed: key ${String(key)} already exists`)
    this.#entries.set(hash, [key, value])
    return undefined
  }

  set(key: Value, value: Value): Failure | undefined {
    const hash = hashKeyOf(key)
    if (hash === undefined) return new Failure('unsupported key type')
    this.#entries.set(hash, [key, value])
    return undefined
  }

  delete(key: Value): void {
    this.#entries.delete(hashKeyOf(key))
  }
}

/** The map that a comprehension makes. */
export class GrowingMap extends ValueMap {}
