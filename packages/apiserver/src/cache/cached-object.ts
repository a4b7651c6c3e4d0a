// One object as the server holds it: its final JSON bytes and where the interesting places in them are.
// It is also the store's Entry, so that a writer can hand it back as what it expects to replace.

import { spliceRevision } from '@homeostat/meta'
import type { Entry, Value } from '@homeostat/store'

export type Labels = Readonly<Record<string, string>>

export class CachedObject implements Entry {
  readonly key: string
  /** The key without `group/resource/`: `namespace/name`, or `name`. */
  readonly name: string
  readonly revision: number
  readonly damage?: string
  /** The whole object as JSON. The bytes may move (into a leaf's joined buffer) but never change under a revision and epoch. */
  bytes: Buffer
  /** Where the digits of resourceVersion start in `bytes`. */
  gap: number
  /** Just after metadata's closing brace in `bytes`. */
  metaEnd: number
  /** The object is as its definition shows it when this is above the definition's view epoch. */
  epoch: number
  #metadata: { labels?: Labels } | undefined

  constructor(
    key: string,
    name: string,
    revision: number,
    bytes: Buffer,
    gap: number,
    metaEnd: number,
    damage?: string,
  ) {
    this.key = key
    this.name = name
    this.revision = revision
    this.bytes = bytes
    this.gap = gap
    this.metaEnd = metaEnd
    this.epoch = revision
    if (damage !== undefined) this.damage = damage
  }

  static fromValue(key: string, name: string, revision: number, value: Value): CachedObject {
    const bytes = spliceRevision(value, revision)
    return new CachedObject(key, name, revision, bytes, value.gap, bytes.length - value.bytes.length + value.metaEnd)
  }

  /** A record that cannot be trusted. It keeps its place, so that a list that needs it fails instead of leaving it out. */
  static damaged(key: string, name: string, revision: number, damage: string): CachedObject {
    return new CachedObject(key, name, revision, Buffer.alloc(0), 0, 0, damage)
  }

  /** What the store holds: the bytes without the digits. */
  get value(): Value | undefined {
    if (this.damage !== undefined) return undefined
    const digits = digitsOf(this.revision)
    const bytes = Buffer.allocUnsafe(this.bytes.length - digits)
    this.bytes.copy(bytes, 0, 0, this.gap)
    this.bytes.copy(bytes, this.gap, this.gap + digits)
    return { bytes, gap: this.gap, metaEnd: this.metaEnd - digits }
  }

  /** The same bytes under another revision: what a DELETED event carries. */
  withRevision(revision: number): Buffer {
    const value = this.value
    return value ? spliceRevision(value, revision) : this.bytes
  }

  /** Shows the object in another way under the same revision. */
  renew(value: Value): void {
    this.bytes = spliceRevision(value, this.revision)
    this.gap = value.gap
    this.metaEnd = this.bytes.length - value.bytes.length + value.metaEnd
  }

  /** Where metadata's opening brace is: metadata starts with resourceVersion, and the gap is inside its quotes. */
  get metaStart(): number {
    return this.gap - METADATA_HEAD
  }

  get labels(): Labels | undefined {
    this.#metadata ??= this.damage === undefined ? (this.metadata() as { labels?: Labels }) : {}
    return this.#metadata.labels
  }

  /** Told by the writer, who has them at hand, so that selectors need not parse. */
  set labels(labels: Labels | undefined) {
    this.#metadata = labels ? { labels } : {}
  }

  /** Parses metadata alone. */
  metadata(): Record<string, unknown> {
    return JSON.parse(this.bytes.toString('utf8', this.metaStart, this.metaEnd)) as Record<string, unknown>
  }
}

const METADATA_HEAD = '{"resourceVersion":"'.length

function digitsOf(revision: number): number {
  return String(revision).length
}
