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

export interface Reckoning {
  /** Held, and asked to end. */
  readonly cancelled: Attempt[]
  /** Held, but not its own in that attempt. */
  readonly lost: Attempt[]
  /** Its own, but not held in two heartbeats in a row, some time apart: the answer of their assign was lost. */
  readonly missing: QueuedProcess[]
}

interface Page extends ExecutorName {
  seenAt: number
  renewedAt: number | undefined
  /** What ran on it at its last heartbeat and was not mentioned there, with when that was first so. */
  absent: ReadonlyMap<string, number>
  place: number
}

const BY_SEEN: Order<Page> = {
  before: (a, b) => a.seenAt < b.seenAt,
  place: (page) => page.place,
  setPlace: (page, place) => {
    page.place = place
  },
}

export class ExecutorLiveness {
  readonly #lostMs: number
  /** Silence counts from here on at the earliest. */
  #resumedAt = Number.NEGATIVE_INFINITY
  readonly #pages = new Map<string, Page>()
  /** Those that are not lost. */
  readonly #alive = new Heap(BY_SEEN)

  /** `lostMs`: without a sign of life after which an executor is lost. */
  constructor(lostMs = LOST_SECONDS * 1000) {
    this.#lostMs = lostMs
  }

  get size(): number {
    return this.#pages.size
  }

  seen(namespace: string, name: string, now: number): void {
    this.#see(namespace, name, now)
  }

  lastSeen(namespace: string, name: string): number | undefined {
    return this.#pages.get(idOf(namespace, name))?.seenAt
  }

  forget(namespace: string, name: string): void {
    const page = this.#pages.get(idOf(namespace, name))
    if (!page) return
    this.#alive.remove(page)
    this.#pages.delete(idOf(namespace, name))
  }

  /** Whether its Lease is old enough to be written again. */
  needsRenewal(namespace: string, name: string, now: number): boolean {
    const renewedAt = this.#pages.get(idOf(namespace, name))?.renewedAt
    return renewedAt === undefined || now - renewedAt >= HEARTBEAT_SECONDS * 1000
  }

  /** Its Lease was written. That of an executor not seen, or forgotten meanwhile, is not kept. */
  renewed(namespace: string, name: string, now: number): void {
    const page = this.#pages.get(idOf(namespace, name))
    if (page) page.renewedAt = now
  }

  /** Those silent for too long, each once until it is seen again. */
  lost(now: number): ExecutorName[] {
    const lost: ExecutorName[] = []
    for (;;) {
      const page = this.#alive.peek()
      if (!page || this.#lostAt(page) > now) return lost
      this.#alive.remove(page)
      lost.push({ namespace: page.namespace, name: page.name })
    }
  }

  /** When `lost` may next have something. */
  nextTime(): number | undefined {
    const page = this.#alive.peek()
    return page && this.#lostAt(page)
  }

  /** The server did not run until now, or its clock was set: everybody has the whole time from now on. */
  resumed(now: number): void {
    this.#resumedAt = now
    // Times after a clock that was set back. The order among them stays.
    for (const page of this.#pages.values()) {
      page.seenAt = Math.min(page.seenAt, now)
      if (page.renewedAt !== undefined) page.renewedAt = Math.min(page.renewedAt, now)
    }
  }

  #lostAt({ seenAt }: Page): number {
    return Math.max(seenAt, this.#resumedAt) + this.#lostMs
  }

  /** Compares what an executor says it holds with what was committed as running on it. Also a sign of life. */
  heartbeat(
    namespace: string,
    name: string,
    holding: readonly Attempt[],
    running: Iterable<QueuedProcess>,
    now: number,
  ): Reckoning {
    const page = this.#see(namespace, name, now)
    const own = new Map<string, QueuedProcess>()
    for (const process of running) own.set(attemptId(process.name, process.attempt), process)
    const held = new Map(holding.map(({ process, attempt }) => [attemptId(process, attempt), { process, attempt }]))
    const absent = [...own.keys()].filter((id) => !held.has(id))
    // Two that come quicker than an answer can do are as good as one.
    const missing = absent
      .filter((id) => (page.absent.get(id) ?? now) + MISSING_MS <= now)
      .flatMap((id) => own.get(id) ?? [])
    page.absent = new Map(absent.map((id) => [id, page.absent.get(id) ?? now]))
    return {
      cancelled: [...held].filter(([id]) => own.get(id)?.cancel).map(([, attempt]) => attempt),
      lost: [...held].filter(([id]) => !own.has(id)).map(([, attempt]) => attempt),
      missing,
    }
  }

  #see(namespace: string, name: string, now: number): Page {
    const id = idOf(namespace, name)
    const page: Page = this.#pages.get(id) ?? {
      namespace,
      name,
      seenAt: now,
      renewedAt: undefined,
      absent: new Map(),
      place: -1,
    }
    this.#pages.set(id, page)
    page.seenAt = now
    if (page.place < 0) this.#alive.add(page)
    else this.#alive.moved(page)
    return page
  }
}

function idOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

function attemptId(process: string, attempt: number): string {
  return `${process}/${attempt}`
}
