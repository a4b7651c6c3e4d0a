// The watch cache of one stored resource: its current objects, its recent changes and its subscribers. Only WatchCache
// writes to it.

import type { KubeObject } from '@homeostat/meta'
import type { CachedObject } from './cached-object.ts'
import { type CachedChange, ChangeRing } from './change-ring.ts'
import { itemBytes, itemSize, joinLeaf, refuseDamaged, separated } from './join-leaf.ts'
import type { LeafRange, ObjectTree } from './object-tree.ts'
import { RecentObjects } from './recent-objects.ts'

/** How the definition shows objects now. Objects at or below the epoch are renewed on first read. */
export interface View {
  readonly epoch: number
  /** Replaces the object's bytes with those of the current view. */
  renew(object: CachedObject): void
}

export type ChangeListener = (changes: readonly CachedChange[]) => void

export class ResourceCache {
  /** `group/resource`. */
  readonly storage: string
  readonly tree: ObjectTree
  readonly ring: ChangeRing
  #view: View = { epoch: 0, renew: () => {} }
  readonly #listeners = new Set<ChangeListener>()
  #recent: RecentObjects | undefined
  #head: Buffer | undefined

  constructor(storage: string, tree: ObjectTree, since: number) {
    this.storage = storage
    this.tree = tree
    this.ring = new ChangeRing(since)
  }

  set view(view: View) {
    this.#view = view
  }

  /** The object in its definition's current view. */
  get(name: string): CachedObject | undefined {
    const object = this.tree.get(name)
    if (object) this.prepare(object)
    return object
  }

  /** Renews an object from a snapshot or the ring, if it needs that, before it is sent. */
  prepare(object: CachedObject): void {
    refuseDamaged(object)
    if (object.epoch <= this.#view.epoch) this.#renew(object)
  }

  /** The parsed recent objects; undefined until the first `read`. */
  get recent(): RecentObjects | undefined {
    return this.#recent
  }

  /** The object parsed, read-only. The first call starts keeping written objects for later reads. */
  read(object: CachedObject): KubeObject {
    this.#recent ??= new RecentObjects()
    return this.#recent.read(object)
  }

  /** The range's items with a comma before each; the leaf's own buffer when the range is the whole leaf. */
  rangeBytes({ leaf, from, to }: LeafRange): Buffer {
    if (from === 0 && to === leaf.objects.length) {
      return joinLeaf(leaf, this.#view.epoch, (object) => this.prepare(object), this.#head)
    }
    const objects = leaf.objects.slice(from, to)
    for (const object of objects) this.prepare(object)
    return separated(objects.map((object) => this.itemBytes(object)))
  }

  /** The object as an item of a list; it has been prepared. */
  itemBytes(object: CachedObject): Buffer {
    return itemBytes(object, this.#head)
  }

  /** The size of `itemBytes`. */
  itemSize(object: CachedObject): number {
    return itemSize(object, this.#head)
  }

  /** The start of an object that items of lists omit. Must be set before the first list, if at all. */
  set itemHead(head: string) {
    this.#head ??= Buffer.from(head)
  }

  /** The size of all `rangeBytes`; undefined when an object must be renewed first. Throws for damaged objects. */
  lengthOf(ranges: readonly LeafRange[]): number | undefined {
    let length: number | undefined = 0
    for (const { leaf, from, to } of ranges) {
      if (leaf.joined && leaf.joinedEpoch >= this.#view.epoch && from === 0 && to === leaf.objects.length) {
        if (length !== undefined) length += leaf.joined.length
        continue
      }
      for (let i = from; i < to; i++) {
        const object = leaf.objects[i] as CachedObject
        refuseDamaged(object)
        if (object.epoch <= this.#view.epoch) length = undefined
        else if (length !== undefined) length += 1 + itemSize(object, this.#head)
      }
    }
    return length
  }

  apply(change: CachedChange): void {
    const object = change.object
    if (object) this.tree.set(object.name, object)
    else if (change.previous) this.tree.delete(change.previous.name)
    if (change.previous) this.#recent?.forget(change.previous)
    change.previous?.detach()
    this.ring.push(change)
  }

  publish(changes: readonly CachedChange[]): void {
    for (const listener of this.#listeners) listener(changes)
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #renew(object: CachedObject): void {
    this.#recent?.forget(object)
    this.#view.renew(object)
    object.epoch = this.#view.epoch + 1
  }
}
