// Delivers each committed change to every follower of the store: history first, then live.
// Drivers publish to it right after a commit. A follower that falls too far behind loses its queue, not its
// place: it reads the log again from there, so memory stays bounded whatever a consumer does.

import type { Change, Revision } from '../contract.ts'
import { FutureRevisionError } from '../contract.ts'

/** Some changes of the log in order. `through` is the revision up to which nothing is missing. */
export interface LogPage {
  readonly changes: readonly Change[]
  readonly through: Revision
}

/** Reads changes after `after` and not beyond `upto`, whole commits only. Throws CompactedError below the horizon. */
export type ReadLog = (after: Revision, upto: Revision) => Promise<LogPage>

export interface StreamBounds {
  /** Changes a follower may have waiting. Default 10,000. */
  readonly changes?: number
  /** Bytes of values a follower may have waiting. Default 32 MiB. */
  readonly bytes?: number
}

export class ChangeStream {
  #revision: Revision
  #closed = false
  readonly #followers = new Set<Follower>()
  readonly #readLog: ReadLog
  readonly #bounds: Required<StreamBounds>

  constructor(revision: Revision, readLog: ReadLog, bounds: StreamBounds = {}) {
    this.#revision = revision
    this.#readLog = readLog
    this.#bounds = { changes: bounds.changes ?? 10_000, bytes: bounds.bytes ?? 32 * 1024 * 1024 }
  }

  /** The newest published revision. */
  get revision(): Revision {
    return this.#revision
  }

  /** Publishes what one commit changed, in revision order. */
  publish(changes: readonly Change[]): void {
    const last = changes.at(-1)
    if (last === undefined) return
    this.#revision = last.revision
    if (this.#followers.size === 0) return
    const bytes = bytesOf(changes)
    for (const follower of this.#followers) follower.offer(changes, bytes, this.#bounds)
  }

  async *follow(after: Revision, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    if (after > this.#revision) throw new FutureRevisionError(after, this.#revision)
    const follower = new Follower(after)
    const wake = () => follower.wake()
    signal.addEventListener('abort', wake)
    this.#followers.add(follower)
    try {
      while (!signal.aborted && !this.#closed) {
        const changes = follower.take() ?? (await this.#next(follower))
        if (signal.aborted) return
        if (changes !== undefined && changes.length > 0) yield changes
      }
    } finally {
      this.#followers.delete(follower)
      signal.removeEventListener('abort', wake)
    }
  }

  /** The log has grown to this revision without `publish`: followers read the missing changes from the log. */
  advance(revision: Revision): void {
    if (revision <= this.#revision) return
    this.#revision = revision
    for (const follower of this.#followers) {
      follower.live = false
      follower.wake()
    }
  }

  /** Ends every follower after what it has taken. */
  close(): void {
    this.#closed = true
    for (const follower of this.#followers) follower.wake()
  }

  async #next(follower: Follower): Promise<readonly Change[] | undefined> {
    if (follower.position === this.#revision) {
      follower.live = true
      await follower.woken()
      return undefined
    }
    const page = await this.#readLog(follower.position, this.#revision)
    follower.position = page.through
    // No await between the end of the read and this decision: a change published from now on goes to the queue.
    follower.live = page.through === this.#revision
    return page.changes
  }
}

class Follower {
  /** The last revision taken. While live, everything after it is in the queue. */
  position: Revision
  live = false
  #queue: (readonly Change[])[] = []
  #changes = 0
  #bytes = 0
  #wake: (() => void) | undefined

  constructor(position: Revision) {
    this.position = position
  }

  offer(changes: readonly Change[], bytes: number, bounds: Required<StreamBounds>): void {
    if (this.live) {
      this.#changes += changes.length
      this.#bytes += bytes
      this.#queue.push(changes)
      if (this.#changes > bounds.changes || this.#bytes > bounds.bytes) this.#fallBack()
    }
    this.wake()
  }

  take(): readonly Change[] | undefined {
    const changes = this.#queue.shift()
    const last = changes?.at(-1)
    if (changes === undefined || last === undefined) return undefined
    if (this.#queue.length === 0) {
      this.#changes = 0
      this.#bytes = 0
    } else {
      this.#changes -= changes.length
      this.#bytes -= bytesOf(changes)
    }
    this.position = last.revision
    return changes
  }

  wake(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #fallBack(): void {
    this.live = false
    this.#queue = []
    this.#changes = 0
    this.#bytes = 0
  }
}

function bytesOf(changes: readonly Change[]): number {
  let bytes = 0
  for (const change of changes) bytes += change.value?.bytes.length ?? 0
  return bytes
}
