// A bounded cache of bytes derived from objects, by revision. It evicts the oldest first.

import type { CachedObject } from './cached-object.ts'

export class BoundedBytes {
  readonly #bytes = new Map<CachedObject, Buffer>()
  #total = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(object: CachedObject): Buffer | undefined {
    return this.#bytes.get(object)
  }

  add(object: CachedObject, bytes: Buffer): Buffer {
    for (const [oldest, old] of this.#bytes) {
      if (this.#total + bytes.length <= this.#most) break
      this.#bytes.delete(oldest)
      this.#total -= old.length
    }
    this.#bytes.set(object, bytes)
    this.#total += bytes.length
    return bytes
  }
}
