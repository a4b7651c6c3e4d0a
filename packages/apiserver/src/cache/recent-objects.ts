// A cache of parsed objects, those written last to one resource, for code inside the server that reads every change or
// writes the next one. A writer announces the object that it is about to store; the resulting change takes it over. Objects
// that are not here are parsed on read. Cached objects are shared: no reader may change them.

import type { KubeObject } from '@homeostat/meta'
import { readStored } from '@homeostat/meta/server'
import type { Value } from '@homeostat/store'
import type { CachedObject } from './cached-object.ts'

interface Coming {
  readonly value: Value
  readonly object: KubeObject
}

/** In bytes of JSON; the parsed objects take several times as much memory. */
const MAX_BYTES = 2 << 20
/** A larger object would evict many others, and may be stored without its managed fields. */
const MAX_OBJECT = 64 << 10

export class RecentObjects {
  /** Announced objects by key; a key has one write at a time. */
  readonly #coming = new Map<string, Coming>()
  /** Oldest first. */
  readonly #known = new Map<CachedObject, KubeObject>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  read(object: CachedObject): KubeObject {
    return this.#known.get(object) ?? readStored(object.bytes, object.metaEnd)
  }

  /** Announces that the object is about to be stored as this value. */
  expect(key: string, value: Value, object: KubeObject): void {
    if (value.bytes.length <= MAX_OBJECT) this.#coming.set(key, { value, object })
  }

  /** The write has ended, with or without success. */
  settled(key: string): void {
    this.#coming.delete(key)
  }

  /** A value was stored, by the announcing writer or by another. */
  arrived(object: CachedObject, value: Value | undefined): void {
    const coming = this.#coming.get(object.key)
    if (coming === undefined || coming.value !== value) return
    const { metadata } = coming.object
    const resourceVersion = String(object.revision)
    this.#known.set(object, { ...coming.object, metadata: { ...metadata, resourceVersion } })
    this.#bytes += object.size
    for (const [oldest] of this.#known) {
      if (this.#bytes <= this.#maxBytes) break
      this.forget(oldest)
    }
  }

  /** Called when the object is replaced or renewed. */
  forget(object: CachedObject): void {
    if (this.#known.delete(object)) this.#bytes -= object.size
  }
}
