// A map that keeps the entries which were set last, for facts that may be forgotten.

export class RecentMap<V> {
  readonly #entries = new Map<string, V>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#size) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
