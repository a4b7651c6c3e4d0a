// What was made of the objects of one type, or read off them. A type that replaces another when its definition changes
// starts with an empty one, and what was made under the old type goes with it.

import { randomUUID } from 'node:crypto'
import { BoundedBytes } from '../cache/bounded-bytes.ts'
import type { CachedObject } from '../cache/cached-object.ts'

export class TypeMemo {
  /** JSON in a version that is not the stored one: a get, a list and every watcher use what was made once per revision. */
  readonly versionBytes = new BoundedBytes(8 << 20)
  /** The same for messages of protobuf: about 30,000 Pods, so that the lists of typed clients encode them once. */
  readonly protobufBytes = new BoundedBytes(32 << 20)
  readonly #fields = new Map<string, WeakMap<CachedObject, string>>()
  #identity: string | undefined

  /** What a selectable field reads off objects: a field selector would parse every object for every list otherwise. */
  fieldValues(field: string): WeakMap<CachedObject, string> {
    let values = this.#fields.get(field)
    if (values === undefined) {
      values = new WeakMap()
      this.#fields.set(field, values)
    }
    return values
  }

  /** Tells the watchers of this type from those of the type before, whose columns may be others. */
  get identity(): string {
    this.#identity ??= randomUUID()
    return this.#identity
  }
}
