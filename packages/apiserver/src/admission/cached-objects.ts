// What the server's own admission steps read: the cache, and its objects parsed. The registry has both, but is made after the
// steps of its writes.

import type { KubeObject } from '@homeostat/meta'
import { FieldMemory } from '@homeostat/meta/merge'
import { readStored } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { WatchCache } from '../cache/watch-cache.ts'

export class CachedObjects {
  readonly #cache: WatchCache
  readonly #fields = new FieldMemory()

  constructor(cache: WatchCache) {
    this.#cache = cache
  }

  resource(storage: string): ResourceCache {
    return this.#cache.resource(storage)
  }

  /** A fresh copy; undefined for a damaged record. */
  parse(object: CachedObject | undefined): KubeObject | undefined {
    if (object === undefined || object.damage !== undefined) return undefined
    return readStored(object.bytes, object.metaEnd, this.#fields)
  }

  /** The objects of a namespace that can be read. */
  inNamespace(storage: string, namespace: string): KubeObject[] {
    const objects: KubeObject[] = []
    for (const cached of this.resource(storage).tree.objects(`${namespace}/`)) {
      const object = this.parse(cached)
      if (object !== undefined) objects.push(object)
    }
    return objects
  }

  /** Whether the namespace has any object of the resource. */
  has(storage: string, namespace: string | undefined): boolean {
    const { tree } = this.resource(storage)
    return namespace !== undefined && tree.size > 0 && tree.count(`${namespace}/`) > 0
  }
}
