// Committed states: one key, pages of one snapshot, and everything at once. Whatever is newest is read after the live watch has
// come to it, so that its number is that of a change. The store calls it.

import {
  CompactedError,
  compareKeys,
  type Entry,
  FutureRevisionError,
  type Range,
  type Revision,
  type WholeEntry,
} from '../contract.ts'
import type { KeyValue } from './client/contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import type { Horizon } from './horizon.ts'
import type { KeyRange } from './layout.ts'
import type { LiveWatch, Position } from './live-watch.ts'
import type { NewestQuestion } from './newest-question.ts'
import { pages } from './pages.ts'
import { decodeRecord } from './record.ts'
import type { Session } from './session.ts'

export class Reads {
  readonly #session: Session
  readonly #live: LiveWatch
  readonly #newest: NewestQuestion
  readonly #horizon: Horizon

  constructor(session: Session, live: LiveWatch, newest: NewestQuestion, horizon: Horizon) {
    this.#session = session
    this.#live = live
    this.#newest = newest
    this.#horizon = horizon
  }

  async get(key: string): Promise<Entry | undefined> {
    const { client, layout } = this.#session
    const { kvs } = await client.range({ key: layout.object(key) })
    return kvs[0] && this.#session.entryOf(kvs[0])
  }

  async range(prefix: string, options: { after?: string; limit: number; revision?: Revision }): Promise<Range> {
    const { client } = this.#session
    const { revision, passed } = await this.#snapshot(options.revision)
    const entries: Entry[] = []
    let more = false
    try {
      const range = this.#rangeOf(prefix, options.after)
      for await (const page of pages(client, range, { revision: passed, limit: options.limit })) {
        for (const kv of page.kvs) entries.push(this.#session.entryOf(kv))
        more = page.more
      }
    } catch (error) {
      throw await this.compacted(error, revision)
    }
    return { entries, revision, more }
  }

  async readAll(take: (entries: readonly WholeEntry[]) => void): Promise<Revision> {
    const { client } = this.#session
    const { revision, passed } = await this.#snapshot(undefined)
    try {
      for await (const { kvs } of pages(client, this.#rangeOf('', undefined), { revision: passed }))
        if (kvs.length > 0) take(this.#wholeEntries(kvs))
    } catch (error) {
      throw await this.compacted(error, revision)
    }
    return revision
  }

  newest(): Promise<Position> {
    return this.#newest.ask()
  }

  /** Throws when the revision cannot be read from: it is below the horizon, or has not been committed. */
  async assertKnown(revision: Revision): Promise<void> {
    this.assertKept(revision)
    if (revision <= this.#live.position.revision) return
    const current = (await this.#newest.ask()).revision
    if (revision > current) throw new FutureRevisionError(revision, current)
  }

  assertKept(revision: Revision): void {
    const horizon = this.horizon()
    if (revision < horizon) throw new CompactedError(revision, horizon)
  }

  /** The newest state is always kept, though etcd may have compacted what others changed since. */
  horizon(): Revision {
    return Math.min(this.#session.revisionOf(this.#horizon.oldest), this.#live.position.revision)
  }

  /** Asks etcd, which may have forgotten more than the store let it. */
  async keptFrom(revision: Revision): Promise<Revision> {
    const { client, layout } = this.#session
    const known = Math.max(revision, this.horizon())
    if (known >= this.#live.position.revision) return known
    try {
      await client.range({ key: layout.meta('store'), keysOnly: true, revision: this.#session.etcdRevision(known) })
    } catch (error) {
      if (!isEtcdError(error, 'compacted')) throw error
      await this.#horizon.ask()
    }
    return Math.max(revision, this.horizon())
  }

  /** The etcd revision after which the next change comes: one that is newer than the change itself if nothing of ours came since. */
  passedAt(revision: Revision): number {
    const now = this.#live.position
    return revision === now.revision ? now.passed : this.#session.etcdRevision(revision)
  }

  /** The error of a reader at the revision: etcd's own says neither what was asked nor from where on one may ask. */
  async compacted(error: unknown, revision: Revision): Promise<unknown> {
    if (this.#session.ended !== undefined) return new CompactedError(revision, this.#live.stream.revision)
    if (!isEtcdError(error, 'compacted')) return error
    // Another server has raised the horizon, and the watch may not have shown it yet; or somebody else has compacted etcd.
    await this.#horizon.ask()
    return new CompactedError(revision, Math.max(this.horizon(), revision + 1))
  }

  async #snapshot(revision: Revision | undefined): Promise<Position> {
    if (revision === undefined) return this.#newest.ask()
    await this.assertKnown(revision)
    return { revision, passed: this.passedAt(revision) }
  }

  #rangeOf(prefix: string, after: string | undefined): KeyRange {
    const { layout } = this.#session
    const range = layout.under('object', prefix)
    if (after === undefined || compareKeys(after, prefix) < 0) return range
    return { key: `${layout.object(after)}\0`, end: range.end }
  }

  /** All of a page in one buffer, each value with the digits of its revision in the gap. */
  #wholeEntries(kvs: readonly KeyValue[]): WholeEntry[] {
    const records = kvs.map(({ value }) => decodeRecord(value))
    const digits = kvs.map(({ modRevision }) => String(this.#session.revisionOf(modRevision)))
    let total = 0
    for (const [index, { value }] of records.entries())
      if (value !== undefined) total += value.bytes.length + (digits[index]?.length ?? 0)
    const buffer = Buffer.allocUnsafeSlow(total)
    const { layout } = this.#session
    let at = 0
    return kvs.map((kv, index): WholeEntry => {
      const { value, damage } = records[index] as (typeof records)[number]
      const text = digits[index] ?? ''
      const entry = { key: layout.nameIn('object', kv.key), revision: this.#session.revisionOf(kv.modRevision), buffer }
      const start = at
      if (value === undefined)
        return { ...entry, damage: damage ?? 'it holds no object', start, size: 0, gap: 0, metaEnd: 0 }
      const { bytes, gap, metaEnd } = value
      buffer.set(gap === bytes.length ? bytes : bytes.subarray(0, gap), at)
      buffer.write(text, at + gap, 'latin1')
      if (gap < bytes.length) buffer.set(bytes.subarray(gap), at + gap + text.length)
      at += bytes.length + text.length
      return { ...entry, damage: undefined, start, size: at - start, gap, metaEnd: metaEnd + text.length }
    })
  }
}
