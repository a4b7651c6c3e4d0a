// Keeps the few newest of many, without holding the others.

export class Newest<T> {
  readonly #most: number
  #kept: { readonly time: number; readonly value: T }[] = []
  /** Anything older cannot be among the newest any more. */
  #oldest = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
  }

  add(time: number, value: T): void {
    if (time < this.#oldest) return
    this.#kept.push({ time, value })
    // Sorting now and then costs each value little.
    if (this.#kept.length >= 2 * this.#most) this.#shorten()
  }

  /** The newest first. */
  all(): T[] {
    this.#shorten()
    return this.#kept.map(({ value }) => value)
  }

  #shorten(): void {
    this.#kept = this.#kept.sort((a, b) => b.time - a.time).slice(0, this.#most)
    if (this.#kept.length === this.#most) this.#oldest = this.#kept.at(-1)?.time ?? this.#oldest
  }
}
