// One watch, from its first event to its end: existing objects (if requested), then past changes, then live ones.
// It never skips or repeats a change: each part starts at the revision where the previous one stopped.

import { internalError, isStatusError, type StatusError } from '@homeostat/meta'
import { expired } from '@homeostat/meta/server'
import { isCompactedError, type StoreChanges } from '@homeostat/store'
import type { CachedChange } from '../cache/change-ring.ts'
import type { TreeSnapshot } from '../cache/object-tree.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import { historicChange, type WatchCache } from '../cache/watch-cache.ts'
import type { ObjectFilter } from '../registry/object-filter.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { type EventEncoder, encodeChanges, readObjects } from './watch-event.ts'
import type { GroupMember } from './watch-group.ts'
import type { WatchSink } from './watch-sink.ts'

export interface WatchOptions {
  /** Start with an ADDED event for every existing object; otherwise after `revision`. */
  readonly initialEvents: boolean
  readonly revision: number
  readonly bookmarks: boolean
  /** Mark the end of the initial events by an annotated bookmark. */
  readonly markInitialEnd: boolean
  /** When the stream ends by itself, as performance.now() counts. */
  readonly deadline: number
}

/** The owner of a watch, which provides live changes and is notified of its events: the hub. */
export interface WatchOwner {
  /** From now on the watch gets every change that passes the filter. */
  join(watch: Watch, filter: ObjectFilter, encoder: EventEncoder): WatchGroupLink
  onEvents(watch: Watch, count: number): void
  onEnd(watch: Watch, reason: EndReason): void
}

/** What a watch has of its group. */
export interface WatchGroupLink {
  leave(): void
  /** Whether the group has changes that it has not sent yet. */
  isBehind(): boolean
}

export type EndReason = 'timeout' | 'slow' | 'closed' | 'shutdown' | 'error' | 'definition changed'

/** A watch with more unread bytes than this is ended; its client resumes from history. */
const MAX_BUFFERED = 4 << 20
const INITIAL_CHUNK = 256 << 10
/** Changes whose copies are made at once. */
const MAX_HELD = 500

export class Watch implements GroupMember {
  readonly type: ResourceType
  readonly resource: ResourceCache
  readonly options: WatchOptions
  readonly #filter: ObjectFilter
  readonly #encoder: EventEncoder
  readonly #sink: WatchSink
  readonly #owner: WatchOwner
  readonly #abort = new AbortController()
  /** Everything up to here has been sent. */
  #revision: number
  #bookmarked: number
  #group: WatchGroupLink | undefined
  #ended: EndReason | undefined
  /** Whether an event has been sent. */
  begun = false

  constructor(
    owner: WatchOwner,
    type: ResourceType,
    resource: ResourceCache,
    filter: ObjectFilter,
    encoder: EventEncoder,
    sink: WatchSink,
    options: WatchOptions,
  ) {
    this.#owner = owner
    this.type = type
    this.resource = resource
    this.#filter = filter
    this.#encoder = encoder
    this.#sink = sink
    this.options = options
    this.#revision = options.revision
    this.#bookmarked = options.revision
  }

  async run(cache: WatchCache, store: StoreChanges): Promise<void> {
    try {
      if (this.options.initialEvents) await this.#sendInitial(cache)
      await this.#catchUp(cache, store)
    } catch (error) {
      this.fail(error)
    }
  }

  get revision(): number {
    return this.#revision
  }

  get ended(): EndReason | undefined {
    return this.#ended
  }

  frame(lines: Buffer): Buffer {
    return this.#sink.frame(lines)
  }

  deliver(lines: Buffer, count: number, revision: number): void {
    this.deliverFramed(lines.length > 0 ? this.#sink.frame(lines) : lines, count, revision)
  }

  /** Called with every committed batch; an empty frame only moves the revision on. */
  deliverFramed(framed: Buffer, count: number, revision: number): void {
    this.#revision = revision
    if (count === 0) return
    this.#sent(count)
    this.#sink.send(framed)
    this.#endIfSlow()
  }

  #sent(count: number): void {
    this.begun = true
    this.#owner.onEvents(this, count)
  }

  #endIfSlow(): void {
    if (this.#sink.buffered > MAX_BUFFERED) this.end('slow')
  }

  /** A bookmark tells the client the current revision, so that it can resume from there even if no watched object changed. */
  bookmark(revision: number): void {
    if (!this.options.bookmarks || !this.#group || this.#group.isBehind() || revision <= this.#bookmarked) return
    this.#bookmarked = revision
    this.#sink.send(this.#sink.frame(this.#encoder.bookmark(revision, false)))
  }

  end(reason: EndReason): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    this.#group?.leave()
    this.#abort.abort()
    this.#owner.onEnd(this, reason)
    this.#sink.end()
  }

  async #sendInitial(cache: WatchCache): Promise<void> {
    const tree = this.resource.tree.snapshot()
    const revision = cache.revision
    const { hold } = this.#encoder
    if (hold === undefined) return this.#sendTree(tree, revision)
    const sound = [...tree.objects(this.#filter.prefix)].filter(({ damage }) => damage === undefined)
    for (const object of sound) this.resource.prepare(object)
    const held = await hold(sound)
    await this.#sendTree(tree, revision).finally(() => held.release())
  }

  async #sendTree(tree: TreeSnapshot, revision: number): Promise<void> {
    let pieces: Buffer[] = []
    let size = 0
    let count = 0
    const flush = async () => {
      if (count === 0) return
      this.#sendOnly(Buffer.concat(pieces, size), count, revision)
      pieces = []
      size = 0
      count = 0
      if (this.#sink.buffered > INITIAL_CHUNK) await this.#sink.drained()
    }
    for (const object of tree.objects(this.#filter.prefix)) {
      if (!this.#filter.matches(object)) continue
      this.resource.prepare(object)
      const first = !this.begun && count === 0
      const parts = this.#encoder.pieces?.('ADDED', object, object.revision)
      for (const part of parts ?? [this.#encoder.encode('ADDED', object, object.revision, first)]) {
        pieces.push(part)
        size += part.length
      }
      count++
      if (size >= INITIAL_CHUNK) await flush()
      if (this.#ended !== undefined) return
    }
    await flush()
    this.#revision = revision
    if (!this.options.markInitialEnd) return
    this.#bookmarked = revision
    this.#sink.send(this.#sink.frame(this.#encoder.bookmark(revision, true)))
  }

  /** Sends lines that only this watch gets. */
  #sendOnly(lines: Buffer, count: number, revision: number): void {
    if (this.#sink.sendLines) {
      this.#revision = revision
      this.#sent(count)
      this.#sink.sendLines(lines)
      this.#endIfSlow()
    } else this.deliver(lines, count, revision)
  }

  /** Sends the changes since the start, and joins the live group in the turn in which none is left. */
  async #catchUp(cache: WatchCache, store: StoreChanges): Promise<void> {
    while (this.#ended === undefined && !this.#sink.closed) {
      if (this.#revision < this.resource.ring.since) {
        await this.#replay(store, this.resource.ring.since)
        // The store may be ahead of the cache, which would then send the same changes again.
        await cache.reached(this.#revision)
        continue
      }
      const recent = this.resource.ring.after(this.#revision)
      const sending = this.#sendHeld(recent)
      const waits = typeof sending !== 'number'
      const sent = waits ? await sending : sending
      // While it waited, more may have changed.
      if (waits || sent < recent.length || this.#sink.buffered > INITIAL_CHUNK) {
        await this.#sink.drained()
        continue
      }
      this.#group = this.#owner.join(this, this.#filter, this.#encoder)
      return
    }
  }

  /** Sends changes that are older than the ring, from the store, up to the revision. */
  async #replay(store: StoreChanges, upTo: number): Promise<void> {
    for await (const batch of store.changes(this.#revision, this.#abort.signal)) {
      const mine: CachedChange[] = []
      for (const change of batch) {
        const historic = historicChange(change)
        if (historic.storage === this.resource.storage) mine.push(historic)
      }
      for (let sent = 0; sent < mine.length; ) {
        sent += await this.#sendHeld(mine.slice(sent))
        await this.#sink.drained()
        if (this.#ended !== undefined) return
      }
      this.#revision = batch.at(-1)?.revision ?? this.#revision
      if (this.#revision >= upTo) return
    }
  }

  /** A change that can no longer be shown counts as one that is no longer kept: the client lists again. */
  #prepare({ object, previous, revision }: CachedChange): void {
    if (object?.damage !== undefined)
      throw expired(`the record of ${object.key} at resource version ${revision} is damaged: ${object.damage}`)
    if (object) this.resource.prepare(object)
    else if (previous && previous.damage === undefined) this.resource.prepare(previous)
  }

  /** As `#sendSome`, with what the encoder needs of the changes. */
  #sendHeld(changes: readonly CachedChange[]): number | Promise<number> {
    const { hold } = this.#encoder
    return hold === undefined || changes.length === 0 ? this.#sendSome(changes) : this.#sendAfter(hold, changes)
  }

  async #sendAfter(hold: NonNullable<EventEncoder['hold']>, changes: readonly CachedChange[]): Promise<number> {
    const some = changes.slice(0, MAX_HELD)
    for (const change of some) this.#prepare(change)
    const held = await hold(readObjects(some, this.#filter))
    try {
      return this.#ended === undefined ? this.#sendSome(some) : 0
    } finally {
      held.release()
    }
  }

  /** Sends as many of the first changes as fit into a chunk, at least one, and returns their number. */
  #sendSome(changes: readonly CachedChange[]): number {
    let size = 0
    let count = 0
    for (const change of changes) {
      this.#prepare(change)
      size += (change.object ?? change.previous)?.bytes.length ?? 0
      count++
      if (size >= INITIAL_CHUNK) break
    }
    const some = changes.slice(0, count)
    const last = some.at(-1)
    if (last === undefined) return 0
    const { lines, count: events } = encodeChanges(some, this.#filter, this.#encoder, !this.begun)
    this.deliver(lines, events, last.revision)
    return count
  }

  /** Sends the error as an ERROR event and ends the watch. */
  fail(error: unknown): void {
    if (this.#ended !== undefined) return
    const { status } = asStatus(error, this.#revision)
    const line =
      this.#encoder.failure?.(status) ?? Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)
    this.#sink.send(this.#sink.frame(line))
    this.end('error')
  }
}

/** A revision that is too old is an event of the stream and not an HTTP error, as informers expect. */
function asStatus(error: unknown, revision: number): StatusError {
  if (isCompactedError(error)) return expired(`too old resource version: ${revision} (${error.horizon})`)
  return isStatusError(error) ? error : internalError((error as Error).message)
}
