// Changes of the past, and on from there, with what each key held before: over a watch of its own that asks etcd for it. The store's
// followers call it; the one that keeps the state itself shares the live watch instead.

import { setTimeout as pause } from 'node:timers/promises'
import type { LogPage } from '../changes/change-stream.ts'
import type { Change, Revision } from '../contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import { EventDecoder } from './event-decoder.ts'
import type { Reads } from './reads.ts'
import { scan } from './scan.ts'
import type { Session } from './session.ts'

const RETRY_MS = 100
/** A page of the log for a follower that fell behind. */
const PAGE_CHANGES = 5000
const PAGE_BYTES = 16 << 20

export class Replay {
  readonly #session: Session
  readonly #reads: Reads

  constructor(session: Session, reads: Reads) {
    this.#session = session
    this.#reads = reads
  }

  /** Every change after the revision with previous values, until the signal aborts or the store closes. */
  async *follow(after: Revision, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    const stop = new AbortController()
    const end = () => stop.abort()
    const signals = [signal, this.#session.signal]
    for (const each of signals) {
      each.addEventListener('abort', end)
      if (each.aborted) end()
    }
    let position = after
    try {
      while (!stop.signal.aborted) {
        try {
          for await (const changes of this.#watch(position, stop.signal)) {
            if (stop.signal.aborted) break
            yield changes
            position = changes.at(-1)?.revision ?? position
          }
        } catch (error) {
          if (stop.signal.aborted) break
          if (!isPassing(error)) throw await this.#reads.compacted(error, position)
          await pause(RETRY_MS, undefined, { signal: stop.signal }).catch(() => {})
        }
      }
      const { ended } = this.#session
      if (ended !== undefined && !signal.aborted) throw await this.#reads.compacted(ended, position)
    } finally {
      for (const each of signals) each.removeEventListener('abort', end)
      stop.abort()
    }
  }

  /** A page of the log for the followers of the live watch, without previous values. */
  async readLog(after: Revision, upto: Revision): Promise<LogPage> {
    const { client, layout, signal } = this.#session
    const changes: Change[] = []
    let bytes = 0
    try {
      this.#reads.assertKept(after)
      if (this.#session.ended !== undefined) throw this.#session.ended
      const decoder = new EventDecoder(this.#session, {}, false)
      const range = { from: this.#session.etcdRevision(after) + 1, upto: this.#session.etcdRevision(upto) }
      const through = await scan(client, { range: layout.watched, ...range, signal }, (events) => {
        for (const change of decoder.decode(events)) {
          changes.push(change)
          bytes += change.value?.bytes.length ?? 0
        }
        return changes.length < PAGE_CHANGES && bytes < PAGE_BYTES
      })
      return { changes, through: this.#session.revisionOf(through) }
    } catch (error) {
      throw await this.#reads.compacted(error, after)
    }
  }

  async *#watch(after: Revision, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    const { client, layout } = this.#session
    const decoder = new EventDecoder(this.#session, {}, true)
    const from = this.#reads.passedAt(after) + 1
    for await (const message of client.watch({ ...layout.watched, from, previous: true }, signal)) {
      if (message.type === 'progress') continue
      const changes = decoder.decode(message.events)
      if (changes.length > 0) yield changes
    }
  }
}

/** The member is to blame, and another one goes on. */
function isPassing(error: unknown): boolean {
  return ['unreachable', 'timeout', 'no-leader', 'overloaded', 'protocol', 'other'].some((kind) =>
    isEtcdError(error, kind as 'other'),
  )
}
