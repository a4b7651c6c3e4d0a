// Remembers a digest of the last manifest sent for an object, and what the manager owned afterwards. While both are
// unchanged, an equal manifest is not sent again, even if the server stores another form of it (a default, another
// spelling).

import { deepEqual, writeJson } from '@homeostat/meta'

interface Sent {
  readonly digest: string
  readonly owned: object | undefined
}

/** Beyond this the oldest entry is evicted, which costs one apply that changes nothing. */
const MAX_ENTRIES = 20_000

export class SentManifests {
  readonly #sent = new Map<string, Sent>()
  readonly #limit: number

  constructor(limit = MAX_ENTRIES) {
    this.#limit = limit
  }

  get size(): number {
    return this.#sent.size
  }

  /** Whether this manifest was the last one sent for the object. */
  isLast(id: string, manifest: object): boolean {
    const last = this.#sent.get(id)
    return last !== undefined && last.digest === digestOf(manifest)
  }

  /** Whether this manifest was the last one sent, and our manager still owns what it owned after that. */
  holds(id: string, manifest: object, owned: object | undefined): boolean {
    const last = this.#sent.get(id)
    return last !== undefined && deepEqual(last.owned, owned) && last.digest === digestOf(manifest)
  }

  record(id: string, manifest: object, owned: object | undefined): void {
    this.#sent.delete(id)
    this.#sent.set(id, { digest: digestOf(manifest), owned })
    for (const oldest of this.#sent.keys()) {
      if (this.#sent.size <= this.#limit) break
      this.#sent.delete(oldest)
    }
  }

  forget(id: string): void {
    this.#sent.delete(id)
  }
}

function digestOf(manifest: object): string {
  // Here and not above: Node takes milliseconds to load it, and not every program comes here.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(writeJson(manifest)).digest('base64')
}
