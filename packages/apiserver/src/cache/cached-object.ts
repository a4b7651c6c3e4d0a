// One cached object: its final JSON bytes and the offsets of the places in them that the server needs.
// It is also the store's Entry, so that a writer can pass it as the value that it expects to replace.

import { spliceRevision, storedMetadata } from '@homeostat/meta/server'
import type { Entry, Value, WholeEntry } from '@homeostat/store'

/** An object's JSON and where its metadata ends. */
export interface Stored {
  readonly bytes: Buffer
  readonly metaEnd: number
}

export type Labels = Readonly<Record<string, string>>

const NOTHING = Buffer.alloc(0)

export class CachedObject implements Entry {
  readonly key: string
  /** The key without `group/resource/`: `namespace/name`, or `name`. */
  readonly name: string
  readonly revision: number
  readonly damage: string | undefined
  /** Holds the JSON: a buffer of its own, or one that the objects of a leaf share. */
  buffer: Buffer = NOTHING
  start = 0
  /** The size of the whole JSON, including a head that the shared buffer omits. */
  size = 0
  /** The omitted head, up to the name of metadata. Items of a list are sent without it. */
  head: Buffer | undefined
  /** The offset of resourceVersion's digits in the bytes. */
  gap = 0
  /** The offset after metadata's closing brace in the bytes. */
  metaEnd = 0
  /** The object is up to date with its definition when this is above the definition's view epoch. */
  epoch: number
  #labels: Labels | null | undefined
  /** What the store holds, of the few objects that were not written since their definition changed their look. */
  #outdated: Stored | undefined

  private constructor(key: string, name: string, revision: number, damage?: string) {
    this.key = key
    this.name = name
    this.revision = revision
    this.damage = damage
    this.epoch = revision
  }

  static fromValue(key: string, name: string, revision: number, value: Value): CachedObject {
    const object = new CachedObject(key, name, revision)
    object.renew(value)
    return object
  }

  /** Does not copy the bytes: the buffer is shared with other objects. */
  static fromWhole(entry: WholeEntry, name: string): CachedObject {
    const object = new CachedObject(entry.key, name, entry.revision, entry.damage)
    object.movedTo(entry.buffer, entry.start)
    object.size = entry.size
    object.gap = entry.gap
    object.metaEnd = entry.metaEnd
    return object
  }

  /** A record that cannot be read. It keeps its key, so that a list which needs it fails instead of omitting it. */
  static damaged(key: string, name: string, revision: number, damage: string): CachedObject {
    return new CachedObject(key, name, revision, damage)
  }

  /** The whole object as JSON. */
  get bytes(): Buffer {
    const { buffer, start, size, head } = this
    if (head !== undefined) return Buffer.concat([head, buffer.subarray(start + 1, this.at(size))], size)
    return size === buffer.length ? buffer : buffer.subarray(start, start + size)
  }

  /** The offset in the buffer of an offset in the whole JSON, from metadata on. */
  at(offset: number): number {
    return this.start + offset - (this.head === undefined ? 0 : this.head.length - 1)
  }

  /** The number of bytes before the name of metadata. */
  get headSize(): number {
    return this.metaStart - METADATA_NAME
  }

  /** The stored value: the bytes with a gap for the revision's digits. */
  get value(): Value | undefined {
    if (this.damage !== undefined) return undefined
    const digits = digitsOf(this.revision)
    const bytes = this.bytes
    const cut = Buffer.allocUnsafe(bytes.length - digits)
    bytes.copy(cut, 0, 0, this.gap)
    bytes.copy(cut, this.gap, this.gap + digits)
    return { bytes: cut, gap: this.gap, metaEnd: this.metaEnd - digits }
  }

  /** The same bytes with another revision, as a DELETED event carries them. */
  withRevision(revision: number): Buffer {
    const value = this.value
    return value ? spliceRevision(value, revision) : this.bytes
  }

  /** Moves the object to another buffer that holds the same bytes; without the head, if one is given. */
  movedTo(buffer: Buffer, start: number, head?: Buffer): void {
    this.buffer = buffer
    this.start = start
    this.head = head
  }

  /** Called when the object leaves the tree. It copies the bytes, so that references to it do not keep its leaf's buffer alive. */
  detach(): void {
    if (this.head !== undefined) this.movedTo(this.bytes, 0)
    else if (this.buffer.length > this.size) this.movedTo(Buffer.from(this.bytes), 0)
  }

  /** Whether the store holds other bytes: those of an older view, or of another version. */
  get outdated(): boolean {
    return this.#outdated !== undefined
  }

  /** The stored bytes, with the digits. Every view is made from them, never from the previous view. */
  get stored(): Stored {
    return this.#outdated ?? this
  }

  /** Replaces the bytes by those of another view, under the same revision. */
  renew(value: Value): void {
    const buffer = spliceRevision(value, this.revision)
    if (this.size > 0) {
      const { bytes, metaEnd } = this.stored
      if (buffer.equals(bytes)) this.#outdated = undefined
      else this.#outdated ??= { bytes: Buffer.from(bytes), metaEnd }
    }
    this.#describe(value, buffer, 0, buffer.length)
  }

  #describe(value: Value, buffer: Buffer, start: number, size: number): void {
    this.movedTo(buffer, start)
    this.size = size
    this.gap = value.gap
    this.metaEnd = value.metaEnd + size - value.bytes.length
  }

  /** The offset of metadata's opening brace: metadata starts with resourceVersion, and the gap is inside its quotes. */
  get metaStart(): number {
    return this.gap - METADATA_HEAD
  }

  /** Read from metadata on first use and kept, since selectors read them often. */
  get labels(): Labels | undefined {
    if (this.#labels === undefined) this.#labels = this.damage === undefined ? (this.#metadata().labels ?? null) : null
    return this.#labels ?? undefined
  }

  #metadata(): { labels?: Labels } {
    return JSON.parse(storedMetadata(this.bytes, this.metaStart, this.metaEnd)) as { labels?: Labels }
  }
}

const METADATA_NAME = '"metadata":'.length
const METADATA_HEAD = '{"resourceVersion":"'.length

function digitsOf(revision: number): number {
  return String(revision).length
}
