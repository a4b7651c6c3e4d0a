// The JSON of a stored object in any served version. The stored version costs nothing; others are made once per
// revision and remembered within a bound.

import { writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { isStoredForm, readAs } from '../registry/versions.ts'

export function versionBytes(object: CachedObject, type: ResourceType): Buffer {
  if (isStoredForm(type)) return object.bytes
  let byType = remembered.get(type)
  if (!byType) {
    byType = new BoundedBytes()
    remembered.set(type, byType)
  }
  return byType.get(object) ?? byType.add(object, Buffer.from(writeJson(readAs(object, type))))
}

/** A type is replaced when its definition changes, and what was made under it goes with it. */
const remembered = new WeakMap<ResourceType, BoundedBytes>()
const MAX_BYTES = 8 << 20

class BoundedBytes {
  readonly #bytes = new Map<CachedObject, Buffer>()
  #total = 0

  get(object: CachedObject): Buffer | undefined {
    return this.#bytes.get(object)
  }

  add(object: CachedObject, bytes: Buffer): Buffer {
    for (const [oldest, old] of this.#bytes) {
      if (this.#total + bytes.length <= MAX_BYTES) break
      this.#bytes.delete(oldest)
      this.#total -= old.length
    }
    this.#bytes.set(object, bytes)
    this.#total += bytes.length
    return bytes
  }
}
