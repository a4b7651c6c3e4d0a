// Everything the server holds about one stored resource: the current objects, recent changes, and who wants to hear of
// the next ones. Fed by WatchCache alone.

import type { KubeObject } from '@homeostat/meta'
import type { CachedObject } from './cached-object.ts'
import { type CachedChange, ChangeRing } from './change-ring.ts'
import { itemBytes, itemSize, joinLeaf, refuseDamaged, separated } from './join-leaf.ts'
import type { LeafRange, ObjectTree } from './object-tree.ts'
import { RecentObjects } from './recent-objects.ts'

/** How objects of the resource are shown now. Objects at or below the epoch are renewed when first read. */
export interface View {
  readonly epoch: number
  /** Replaces the object's bytes by those of the current view. */
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

  /** The object, shown as its definition shows it now. */
  get(name: string): CachedObject | undefined {
    const object = this.tree.get(name)
    if (object) this.prepare(object)
    return object
  }

  /** Makes an object from a snapshot or the ring fit to be sent. */
  prepare(object: CachedObject): void {
    refuseDamaged(object)
    if (object.epoch <= this.#view.epoch) this.#renew(object)
  }

  /** What was written last, parsed; undefined as long as nobody reads it. */
  get recent(): RecentObjects | undefined {
    return this.#recent
  }

  /** The object, not to be changed. Whoever asks will ask again: what is written from now on is kept for it. */
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

  /** How many bytes that has. */
  itemSize(object: CachedObject): number {
    return itemSize(object, this.#head)
  }

  /** What objects begin with and items of lists leave out. To be set before the first list, if at all. */
  set itemHead(head: string) {
    this.#head ??= Buffer.from(head)
  }

  /** What `rangeBytes` will give, in bytes; undefined when an object must be renewed before that is known. Refuses damage. */
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
