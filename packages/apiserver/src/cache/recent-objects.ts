// The parsed forms of what was written last to one resource, for those inside the server who read every change of it or
// write the next one. A writer says what it is about to store; the change that comes of it takes that over. What is not
// here is parsed when it is asked for. Objects in here are shared: nobody changes them.

import { type KubeObject, readStored } from '@homeostat/meta'
import type { Value } from '@homeostat/store'
import type { CachedObject } from './cached-object.ts'

interface Coming {
  readonly value: Value
  readonly object: KubeObject
}

/** In bytes of JSON; the objects take some times that. */
const MAX_BYTES = 2 << 20
/** A larger one would push out many others; one that is much larger may be stored without all it says. */
const MAX_OBJECT = 64 << 10

export class RecentObjects {
  /** By key; there is one write of a key at a time. */
  readonly #coming = new Map<string, Coming>()
  /** The oldest first. */
  readonly #known = new Map<CachedObject, KubeObject>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  read(object: CachedObject): KubeObject {
    return this.#known.get(object) ?? readStored(object.bytes, object.metaEnd)
  }

  /** The object is about to be stored as that value. */
  expect(key: string, value: Value, object: KubeObject): void {
    if (value.bytes.length <= MAX_OBJECT) this.#coming.set(key, { value, object })
  }

  /** The write is over, whatever came of it. */
  settled(key: string): void {
    this.#coming.delete(key)
  }

  /** A value was stored: by the writer that said so, or by somebody else. */
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

  /** The object is no longer what is stored, or is shown in another way. */
  forget(object: CachedObject): void {
    if (this.#known.delete(object)) this.#bytes -= object.size
  }
}
