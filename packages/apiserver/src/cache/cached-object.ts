// One object as the server holds it: its final JSON bytes and where the interesting places in them are.
// It is also the store's Entry, so that a writer can hand it back as what it expects to replace.

import { spliceRevision, storedMetadata } from '@homeostat/meta'
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
  /** Where the JSON is: all of a buffer, or a part of one that a leaf's objects share. */
  buffer: Buffer = NOTHING
  start = 0
  /** Of the whole JSON, also where the buffer leaves out what all objects of the leaf begin with. */
  size = 0
  /** What that is, up to the name of metadata: as an item of a list the object goes without it. */
  head: Buffer | undefined
  /** Where the digits of resourceVersion start in the bytes. */
  gap = 0
  /** Just after metadata's closing brace in the bytes. */
  metaEnd = 0
  /** The object is as its definition shows it when this is above the definition's view epoch. */
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

  /** Leaves the bytes where they are, in a buffer that it shares with others. */
  static fromWhole(entry: WholeEntry, name: string): CachedObject {
    const object = new CachedObject(entry.key, name, entry.revision, entry.damage)
    object.movedTo(entry.buffer, entry.start)
    object.size = entry.size
    object.gap = entry.gap
    object.metaEnd = entry.metaEnd
    return object
  }

  /** A record that cannot be trusted. It keeps its place, so that a list that needs it fails instead of leaving it out. */
  static damaged(key: string, name: string, revision: number, damage: string): CachedObject {
    return new CachedObject(key, name, revision, damage)
  }

  /** The whole object as JSON. */
  get bytes(): Buffer {
    const { buffer, start, size, head } = this
    if (head !== undefined) return Buffer.concat([head, buffer.subarray(start + 1, this.at(size))], size)
    return size === buffer.length ? buffer : buffer.subarray(start, start + size)
  }

  /** Where an offset in the whole JSON, from metadata on, is in the buffer. */
  at(offset: number): number {
    return this.start + offset - (this.head === undefined ? 0 : this.head.length - 1)
  }

  /** How many of its first bytes are before the name of metadata. */
  get headSize(): number {
    return this.metaStart - METADATA_NAME
  }

  /** What the store holds: the bytes without the digits. */
  get value(): Value | undefined {
    if (this.damage !== undefined) return undefined
    const digits = digitsOf(this.revision)
    const bytes = this.bytes
    const cut = Buffer.allocUnsafe(bytes.length - digits)
    bytes.copy(cut, 0, 0, this.gap)
    bytes.copy(cut, this.gap, this.gap + digits)
    return { bytes: cut, gap: this.gap, metaEnd: this.metaEnd - digits }
  }

  /** The same bytes under another revision: what a DELETED event carries. */
  withRevision(revision: number): Buffer {
    const value = this.value
    return value ? spliceRevision(value, revision) : this.bytes
  }

  /** Says that the same bytes are now found elsewhere; without the head, if one is given. */
  movedTo(buffer: Buffer, start: number, head?: Buffer): void {
    this.buffer = buffer
    this.start = start
    this.head = head
  }

  /** Called when the object leaves the tree: what remembers it shall not keep its neighbours' bytes alive. */
  detach(): void {
    if (this.head !== undefined) this.movedTo(this.bytes, 0)
    else if (this.buffer.length > this.size) this.movedTo(Buffer.from(this.bytes), 0)
  }

  /** Whether the store still holds other bytes than these: those of an older view, or of another version. */
  get outdated(): boolean {
    return this.#outdated !== undefined
  }

  /** What the store holds, with the digits: each view is made of that, and not of the view before. */
  get stored(): Stored {
    return this.#outdated ?? this
  }

  /** Shows the object in another way under the same revision. */
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

  /** Where metadata's opening brace is: metadata starts with resourceVersion, and the gap is inside its quotes. */
  get metaStart(): number {
    return this.gap - METADATA_HEAD
  }

  /** Read off metadata when first asked for, then remembered: selectors look at them again and again. */
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
