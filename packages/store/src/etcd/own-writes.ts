// The writes of this store that its own watch has not shown yet. The watch gives back what the writer gave, so that nothing is
// decoded twice and the reader of the change knows the value that it announced. The writer owns it.

import type { Note, Value } from '../contract.ts'
import { countOf, type StoreId, type WriteId } from './record.ts'

interface OwnWrite {
  readonly value: Value | undefined
  readonly note: Note
}

export class OwnWrites {
  readonly #store: StoreId
  readonly #writes = new Map<number, OwnWrite>()
  #count = 0

  constructor(store: StoreId) {
    this.#store = store
  }

  /** A number for a write, which the watch shows only if it puts a value. */
  add(value: Value | undefined, note: Note): WriteId {
    this.#count = (this.#count + 1) >>> 0
    if (value !== undefined) this.#writes.set(this.#count, { value, note })
    return { store: this.#store, count: this.#count }
  }

  /** It will not be shown. */
  forget({ count }: WriteId): void {
    this.#writes.delete(count)
  }

  /** The watch has come to this record. Undefined: another wrote it, or it was shown before. */
  take(record: Buffer): OwnWrite | undefined {
    const count = countOf(record, this.#store)
    if (count === undefined) return undefined
    const write = this.#writes.get(count)
    this.#writes.delete(count)
    return write
  }
}
