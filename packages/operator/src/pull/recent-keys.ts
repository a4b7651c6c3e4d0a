// The most recently reconciled keys in LRU order, which bounds the state that is kept per key.

const MAX_KEYS = 2000

export class RecentKeys {
  readonly #keys = new Set<string>()
  readonly #limit: number

  constructor(limit = MAX_KEYS) {
    this.#limit = limit
  }

  /** Returns the keys to evict: the least recently used beyond the limit that `mayGo` allows. */
  use(key: string, mayGo: (key: string) => boolean): readonly string[] {
    this.#keys.delete(key)
    this.#keys.add(key)
    const beyond = this.#keys.size - this.#limit
    if (beyond <= 0) return []
    const going = [...this.#keys].filter((one) => one !== key && mayGo(one)).slice(0, beyond)
    for (const one of going) this.#keys.delete(one)
    return going
  }

  drop(key: string): void {
    this.#keys.delete(key)
  }
}
