// When each executor last called, and which of its Processes its heartbeats did not mention. The server reports every call
// of an executor and its own pauses, in which it could receive no calls. This class writes nothing and has no clock.

import { type Attempt, HEARTBEAT_SECONDS, LOST_SECONDS } from '@homeostat/executor/protocol'
import { Heap, type Order } from './heap.ts'
import type { QueuedProcess } from './queued-process.ts'

/** How long heartbeats must leave out a Process that runs on the executor before it counts as missing. */
const MISSING_MS = (HEARTBEAT_SECONDS * 1000) / 2

export interface ExecutorName {
  readonly namespace: string
  readonly name: string
}

export interface HeldComparison {
  /** Attempts that the executor holds and should end. */
  readonly cancelled: Attempt[]
  /** Attempts that the executor holds and that are no longer its own. */
  readonly lost: Attempt[]
  /** Its own, but left out by two heartbeats some time apart: the response that assigned them was lost. */
  readonly missing: QueuedProcess[]
}

interface ExecutorRecord extends ExecutorName {
  seenAt: number
  renewedAt: number | undefined
  /** Attempts that its last heartbeat left out, with the time at which one first did. */
  absent: ReadonlyMap<string, number>
  place: number
}

const BY_SEEN: Order<ExecutorRecord> = {
  before: (a, b) => a.seenAt < b.seenAt,
  place: (record) => record.place,
  setPlace: (record, place) => {
    record.place = place
  },
}

export class ExecutorLiveness {
  readonly #lostMs: number
  /** Silence before this time does not count. */
  #resumedAt = Number.NEGATIVE_INFINITY
  readonly #records = new Map<string, ExecutorRecord>()
  /** Executors that are not lost. */
  readonly #alive = new Heap(BY_SEEN)

  /** An executor is lost after `lostMs` without a call. */
  constructor(lostMs = LOST_SECONDS * 1000) {
    this.#lostMs = lostMs
  }

  get size(): number {
    return this.#records.size
  }

  seen(namespace: string, name: string, now: number): void {
    this.#see(namespace, name, now)
  }

  lastSeen(namespace: string, name: string): number | undefined {
    return this.#records.get(idOf(namespace, name))?.seenAt
  }

  forget(namespace: string, name: string): void {
    const record = this.#records.get(idOf(namespace, name))
    if (!record) return
    this.#alive.remove(record)
    this.#records.delete(idOf(namespace, name))
  }

  /** Whether its Lease is old enough to be written again. */
  needsRenewal(namespace: string, name: string, now: number): boolean {
    const renewedAt = this.#records.get(idOf(namespace, name))?.renewedAt
    return renewedAt === undefined || now - renewedAt >= HEARTBEAT_SECONDS * 1000
  }

  /** Records that its Lease was written. Does nothing for an executor that is not known. */
  renewed(namespace: string, name: string, now: number): void {
    const record = this.#records.get(idOf(namespace, name))
    if (record) record.renewedAt = now
  }

  /** Returns the executors that are lost since the last call. Each is returned once until it is seen again. */
  lost(now: number): ExecutorName[] {
    const lost: ExecutorName[] = []
    for (;;) {
      const record = this.#alive.peek()
      if (!record || this.#lostAt(record) > now) return lost
      this.#alive.remove(record)
      lost.push({ namespace: record.namespace, name: record.name })
    }
  }

  /** When `lost` has to be called next. */
  nextTime(): number | undefined {
    const record = this.#alive.peek()
    return record && this.#lostAt(record)
  }

  /** The server did not run until now, or its clock was set: every executor has the whole time from now on. */
  resumed(now: number): void {
    this.#resumedAt = now
    // A clock that was set back leaves times in the future. Their order stays.
    for (const record of this.#records.values()) {
      record.seenAt = Math.min(record.seenAt, now)
      if (record.renewedAt !== undefined) record.renewedAt = Math.min(record.renewedAt, now)
    }
  }

  #lostAt({ seenAt }: ExecutorRecord): number {
    return Math.max(seenAt, this.#resumedAt) + this.#lostMs
  }

  /** Compares what an executor holds, by its heartbeat, with what was committed as running on it. Counts as a call. */
  heartbeat(
    namespace: string,
    name: string,
    holding: readonly Attempt[],
    running: Iterable<QueuedProcess>,
    now: number,
  ): HeldComparison {
    const record = this.#see(namespace, name, now)
    const own = new Map<string, QueuedProcess>()
    for (const process of running) own.set(attemptId(process.name, process.attempt), process)
    const held = new Map(holding.map(({ process, attempt }) => [attemptId(process, attempt), { process, attempt }]))
    const absent = [...own.keys()].filter((id) => !held.has(id))
    // Two heartbeats in quick succession count as one: a response may still be on its way.
    const missing = absent
      .filter((id) => (record.absent.get(id) ?? now) + MISSING_MS <= now)
      .flatMap((id) => own.get(id) ?? [])
    record.absent = new Map(absent.map((id) => [id, record.absent.get(id) ?? now]))
    return {
      cancelled: [...held].filter(([id]) => own.get(id)?.cancel).map(([, attempt]) => attempt),
      lost: [...held].filter(([id]) => !own.has(id)).map(([, attempt]) => attempt),
      missing,
    }
  }

  #see(namespace: string, name: string, now: number): ExecutorRecord {
    const id = idOf(namespace, name)
    const record: ExecutorRecord = this.#records.get(id) ?? {
      namespace,
      name,
      seenAt: now,
      renewedAt: undefined,
      absent: new Map(),
      place: -1,
    }
    this.#records.set(id, record)
    record.seenAt = now
    if (record.place < 0) this.#alive.add(record)
    else this.#alive.moved(record)
    return record
  }
}

function idOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

function attemptId(process: string, attempt: number): string {
  return `${process}/${attempt}`
}
