// When each executor was last heard of, and which of its Processes its heartbeats did not mention. The server reports every
// call of an executor, and its own pauses, in which it could hear nobody. It writes nothing and has no clock.

import { type Attempt, HEARTBEAT_SECONDS, LOST_SECONDS } from '@homeostat/executor/protocol'
import { Heap, type Order } from './heap.ts'
import type { QueuedProcess } from './queued-process.ts'

/** Between the first and the last heartbeat that do not mention what an executor should have. */
const MISSING_MS = (HEARTBEAT_SECONDS * 1000) / 2

export interface ExecutorName {
  readonly namespace: string
  readonly name: string
}

export interface HeldComparison {
  /** Held, and asked to end. */
  readonly cancelled: Attempt[]
  /** Held, but not its own in that attempt. */
  readonly lost: Attempt[]
  /** Its own, but not held in two heartbeats in a row, some time apart: the answer of their assign was lost. */
  readonly missing: QueuedProcess[]
}

interface ExecutorRecord extends ExecutorName {
  seenAt: number
  renewedAt: number | undefined
  /** What ran on it at its last heartbeat and was not mentioned there, with when that was first so. */
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
  /** Silence counts from here on at the earliest. */
  #resumedAt = Number.NEGATIVE_INFINITY
  readonly #records = new Map<string, ExecutorRecord>()
  /** Those that are not lost. */
  readonly #alive = new Heap(BY_SEEN)

  /** `lostMs`: without a sign of life after which an executor is lost. */
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

  /** Its Lease was written. That of an executor not seen, or forgotten meanwhile, is not kept. */
  renewed(namespace: string, name: string, now: number): void {
    const record = this.#records.get(idOf(namespace, name))
    if (record) record.renewedAt = now
  }

  /** Those silent for too long, each once until it is seen again. */
  lost(now: number): ExecutorName[] {
    const lost: ExecutorName[] = []
    for (;;) {
      const record = this.#alive.peek()
      if (!record || this.#lostAt(record) > now) return lost
      this.#alive.remove(record)
      lost.push({ namespace: record.namespace, name: record.name })
    }
  }

  /** When `lost` may next have something. */
  nextTime(): number | undefined {
    const record = this.#alive.peek()
    return record && this.#lostAt(record)
  }

  /** The server did not run until now, or its clock was set: everybody has the whole time from now on. */
  resumed(now: number): void {
    this.#resumedAt = now
    // Times after a clock that was set back. The order among them stays.
    for (const record of this.#records.values()) {
      record.seenAt = Math.min(record.seenAt, now)
      if (record.renewedAt !== undefined) record.renewedAt = Math.min(record.renewedAt, now)
    }
  }

  #lostAt({ seenAt }: ExecutorRecord): number {
    return Math.max(seenAt, this.#resumedAt) + this.#lostMs
  }

  /** Compares what an executor says it holds with what was committed as running on it. Also a sign of life. */
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
    // Two that come quicker than an answer can do are as good as one.
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
