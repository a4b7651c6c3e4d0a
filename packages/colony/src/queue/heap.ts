// A binary heap whose items know their index, so that any of them can be removed or moved in O(log n). The queue keeps its
// orders in such heaps.

/** One order of items. Each item keeps its index for each order that it may be in. */
export interface Order<T> {
  before(a: T, b: T): boolean
  /** The index last set; -1 when the item is in no heap of this order. */
  place(item: T): number
  setPlace(item: T, place: number): void
}

export class Heap<T> {
  readonly #order: Order<T>
  #items: T[] = []

  constructor(order: Order<T>) {
    this.#order = order
  }

  get size(): number {
    return this.#items.length
  }

  /** In no particular order. */
  get items(): readonly T[] {
    return this.#items
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  add(item: T): void {
    // The first push to an empty array makes room for 17, and most concurrency keys have one Process.
    if (this.#items.length === 0) this.#items = [item]
    else this.#items.push(item)
    this.#rise(item, this.#items.length - 1)
  }

  /** Does nothing when the item is in no heap of this order. */
  remove(item: T): void {
    const place = this.#order.place(item)
    if (place < 0) return
    this.#order.setPlace(item, -1)
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#settle(last, place)
  }

  /** Call this after a value that the order compares has changed. */
  moved(item: T): void {
    const place = this.#order.place(item)
    if (place >= 0) this.#settle(item, place)
  }

  #settle(item: T, place: number): void {
    const above = this.#items[(place - 1) >> 1]
    if (place > 0 && above !== undefined && this.#order.before(item, above)) this.#rise(item, place)
    else this.#sink(item, place)
  }

  #rise(item: T, from: number): void {
    let place = from
    while (place > 0) {
      const next = (place - 1) >> 1
      const above = this.#items[next]
      if (above === undefined || !this.#order.before(item, above)) break
      this.#put(above, place)
      place = next
    }
    this.#put(item, place)
  }

  #sink(item: T, from: number): void {
    let place = from
    for (;;) {
      const left = this.#items[2 * place + 1]
      const right = this.#items[2 * place + 2]
      if (left === undefined) break
      const rightFirst = right !== undefined && this.#order.before(right, left)
      const below = rightFirst ? right : left
      if (!this.#order.before(below, item)) break
      this.#put(below, place)
      place = 2 * place + (rightFirst ? 2 : 1)
    }
    this.#put(item, place)
  }

  #put(item: T, place: number): void {
    this.#items[place] = item
    this.#order.setPlace(item, place)
  }
}
