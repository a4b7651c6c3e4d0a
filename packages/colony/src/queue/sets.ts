// A map of keys to sets that keeps no empty set. The queue uses it to find what belongs to an executor or a type.

const NONE: ReadonlySet<never> = new Set()

export class Sets<T> {
  readonly #sets = new Map<string, Set<T>>()

  /** The number of keys. */
  get size(): number {
    return this.#sets.size
  }

  get(key: string): ReadonlySet<T> {
    return this.#sets.get(key) ?? NONE
  }

  add(key: string, item: T): void {
    const set = this.#sets.get(key)
    if (set) set.add(item)
    else this.#sets.set(key, new Set([item]))
  }

  /** Whether the item was in the set. */
  delete(key: string, item: T): boolean {
    const set = this.#sets.get(key)
    const found = set?.delete(item) ?? false
    if (set?.size === 0) this.#sets.delete(key)
    return found
  }
}
