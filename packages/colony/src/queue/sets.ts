// Sets under keys, where an empty one is not kept. The queue finds by them what belongs to an executor or a type.

const NONE: ReadonlySet<never> = new Set()

export class Sets<T> {
  readonly #sets = new Map<string, Set<T>>()

  /** How many keys have something. */
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

  /** Whether it was there. */
  delete(key: string, item: T): boolean {
    const set = this.#sets.get(key)
    const found = set?.delete(item) ?? false
    if (set?.size === 0) this.#sets.delete(key)
    return found
  }
}
