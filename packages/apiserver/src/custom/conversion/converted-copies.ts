// The copies of a definition's objects in one served version: one per revision, made when somebody reads it, and kept within a
// bound. Those that somebody holds stay. An object that is stored in the version is its own copy.

import type { KubeObject } from '@homeostat/meta'
import { encodeObject, readStored, spliceRevision } from '@homeostat/meta/server'
import type { CachedObject, Stored } from '../../cache/cached-object.ts'
import { storedVersionOf } from '../../registry/stored-version.ts'
import type { HeldCopies, VersionConverter } from '../../registry/version-converter.ts'
import type { ConversionWebhook } from './conversion-webhook.ts'

/** What copies that nobody holds may take; the bar of a list that is read again. */
const MAX_BYTES = 32 << 20

interface Kept extends Stored {
  holds: number
}

export class ConvertedCopies implements VersionConverter {
  readonly #webhook: ConversionWebhook
  readonly #apiVersion: string
  readonly #prune: (object: KubeObject) => void
  /** The oldest first. */
  readonly #kept = new Map<object, Kept>()
  readonly #making = new Map<CachedObject, Promise<unknown>>()
  #size = 0

  /** `prune` drops what the schema of the version does not know. */
  constructor(webhook: ConversionWebhook, apiVersion: string, prune: (object: KubeObject) => void) {
    this.#webhook = webhook
    this.#apiVersion = apiVersion
    this.#prune = prune
  }

  copyOf(object: Stored): Stored | undefined {
    return this.#kept.get(object) ?? (this.#isOwn(object) ? object : undefined)
  }

  async hold(objects: readonly CachedObject[]): Promise<HeldCopies> {
    const held: Kept[] = []
    const release = () => {
      for (const copy of held.splice(0)) copy.holds--
      this.#forgetOldest()
    }
    const take = (object: CachedObject): boolean => {
      if (this.#isOwn(object)) return true
      const copy = this.#kept.get(object)
      if (copy === undefined) return false
      copy.holds++
      held.push(copy)
      return true
    }
    try {
      let missing = objects.filter((object) => !take(object))
      while (missing.length > 0) {
        await this.#make(missing)
        // What another reader was making may have been forgotten again before this one could hold it.
        missing = missing.filter((object) => !take(object))
      }
      return { release }
    } catch (error) {
      release()
      throw error
    }
  }

  async convert(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    if (object.apiVersion === apiVersion) return object
    return (await this.#webhook.convert([object], apiVersion))[0] as KubeObject
  }

  /** Each object is converted once, for however many readers wait. */
  async #make(objects: readonly CachedObject[]): Promise<void> {
    const waiting = objects.flatMap((object) => this.#making.get(object) ?? [])
    const own = objects.filter((object) => !this.#making.has(object))
    if (own.length > 0) {
      const making = this.#convertAll(own)
      for (const object of own) this.#making.set(object, making)
      try {
        await making
      } finally {
        for (const object of own) this.#making.delete(object)
      }
    }
    await Promise.all(waiting)
  }

  async #convertAll(objects: readonly CachedObject[]): Promise<void> {
    const stored = objects.map(({ bytes, metaEnd }) => readStored(bytes, metaEnd))
    const converted = await this.#webhook.convert(stored, this.#apiVersion)
    for (const [at, object] of objects.entries()) {
      const shown = converted[at] as KubeObject
      this.#prune(shown)
      this.#keep(object, shown)
    }
  }

  #isOwn(object: Stored): boolean {
    return storedVersionOf(object) === this.#apiVersion
  }

  #keep(object: CachedObject, shown: KubeObject): void {
    const encoded = encodeObject(shown)
    const bytes = spliceRevision(encoded, object.revision)
    this.#kept.set(object, { bytes, metaEnd: encoded.metaEnd + bytes.length - encoded.bytes.length, holds: 0 })
    this.#size += bytes.length
  }

  #forgetOldest(): void {
    if (this.#size <= MAX_BYTES) return
    for (const [object, { bytes, holds }] of this.#kept) {
      if (holds > 0) continue
      this.#kept.delete(object)
      this.#size -= bytes.length
      if (this.#size <= MAX_BYTES) return
    }
  }
}
