// The queue: which Process is next for which executor, and which deadlines have passed, from the committed states of
// Processes. What it returns is a proposal, and a conditional write decides. It has no clock.

import { Deadlines, type Due } from './deadlines.ts'
import { type Entry, type KeyQueue, newEntry, STANDING, standing } from './entry.ts'
import { BY_NOT_BEFORE } from './entry-orders.ts'
import { Heap } from './heap.ts'
import { KeyQueues } from './key-queues.ts'
import type { Demands, Puller, QueuedProcess } from './queued-process.ts'
import { Sets } from './sets.ts'
import { firstOf, serves, TypeQueues } from './type-queues.ts'

/** How many revisions of deleted Processes are kept, so that a stale state cannot bring one back. */
const REMEMBERED = 1024

const NOBODY: Demands = {
  executorType: '',
  funcName: '',
  executorNames: [],
  location: '',
  software: [],
  cpu: 0,
  memory: 0,
}

export interface Place {
  readonly namespace: string
  readonly executorType: string
}

export interface Depth extends Place {
  readonly waiting: number
  readonly running: number
  /** The oldest among those that wait. */
  readonly oldestSubmittedAt: number | undefined
}

export class ProcessQueue {
  readonly #entries = new Map<string, Entry>()
  readonly #gone = new Map<string, number>()
  /** Running Processes, by executor. */
  readonly #held = new Sets<Entry>()
  readonly #paused = new Set<string>()
  /** How many wait in each namespace. */
  readonly #waiting = new Map<string, number>()
  readonly #typeQueues = new TypeQueues()
  readonly #keyQueues = new KeyQueues(this.#typeQueues)
  readonly #ripening = new Heap(BY_NOT_BEFORE)
  readonly #deadlines = new Deadlines()

  /** The number of Processes that wait, run, or have ended and will be deleted after their ttl. */
  get size(): number {
    return this.#entries.size
  }

  /** Sets the newest committed state. A stale state is ignored; a newer one ends a reservation. */
  set(process: QueuedProcess): void {
    const id = idOf(process.namespace, process.name)
    const known = this.#entries.get(id)
    const revision = known?.process.revision ?? this.#gone.get(id)
    if (revision !== undefined && process.revision <= revision) return
    if (process.phase === 'Ended' && process.deleteAt === undefined) {
      this.#drop(id, process.revision)
      return
    }
    const entry = known ?? newEntry(process)
    const left = known && this.#withdraw(known)
    this.#renew(entry, process)
    this.#entries.set(id, entry)
    this.#enter(entry)
    this.#keyQueues.settle(entry.keyQueue)
    if (left !== entry.keyQueue) this.#keyQueues.settle(left)
  }

  /** The object was deleted at this revision. */
  delete(namespace: string, name: string, revision?: number): void {
    const id = idOf(namespace, name)
    const known = this.#entries.get(id)?.process.revision
    if (revision !== undefined && known !== undefined && revision < known) return
    this.#drop(id, revision ?? known)
  }

  get(namespace: string, name: string): QueuedProcess | undefined {
    return this.#entries.get(idOf(namespace, name))?.process
  }

  /** Reserves and returns the next Processes for this executor, in order, that fit into its free capacity as a whole. */
  take(puller: Puller, max: number, now: number): QueuedProcess[] {
    this.#advance(now)
    if (this.isPaused(puller.namespace)) return []
    const groups = this.#typeQueues.served(puller)
    const free = { cpu: puller.cpu, memory: puller.memory }
    const taken: QueuedProcess[] = []
    while (taken.length < max) {
      const entry = firstOf(groups, free)
      if (!entry) break
      this.#typeQueues.withhold(entry)
      entry.reserved = true
      entry.keyQueue?.members.moved(entry)
      this.#keyQueues.settle(entry.keyQueue)
      // Rounded to 1e-9, the precision of quantities, so that three times 0.1 fits into 0.3.
      free.cpu = Math.round((free.cpu - entry.process.demands.cpu) * 1e9) / 1e9
      free.memory -= entry.process.demands.memory
      taken.push(entry.process)
    }
    return taken
  }

  /** Whether `take` would return anything for this executor. */
  eligible(puller: Puller, now: number): boolean {
    this.#advance(now)
    return !this.isPaused(puller.namespace) && this.#typeQueues.servesAny(puller)
  }

  /** Whether a waiting executor should get a new Process with these demands: it can run it, and nothing else is queued for it. */
  wouldGet(puller: Puller, demands: Demands, now: number): boolean {
    return !this.isPaused(puller.namespace) && serves(puller, demands) && !this.eligible(puller, now)
  }

  /** The write for a reserved or due Process did not succeed: it can be taken, or is due, again. */
  release(namespace: string, name: string): void {
    const entry = this.#entries.get(idOf(namespace, name))
    if (!entry) return
    if (entry.retryAt > 0) {
      this.#deadlines.leave(entry)
      entry.retryAt = 0
      this.#deadlines.enter(entry)
    }
    if (!entry.reserved) return
    entry.reserved = false
    this.#restand(entry)
  }

  /** What is due of this Process is handed out again at that time, not earlier. */
  postpone(namespace: string, name: string, until: number): void {
    const entry = this.#entries.get(idOf(namespace, name))
    if (!entry) return
    this.#deadlines.leave(entry)
    entry.retryAt = until
    this.#deadlines.enter(entry)
  }

  pause(namespace: string, paused: boolean): void {
    if (paused) this.#paused.add(namespace)
    else if (this.#paused.delete(namespace)) this.#typeQueues.renew(namespace)
  }

  /** How many Processes of the namespace wait, whatever for. */
  waitingIn(namespace: string): number {
    return this.#waiting.get(namespace) ?? 0
  }

  isPaused(namespace: string): boolean {
    return this.#paused.has(namespace)
  }

  /**
   * Where Processes became available since the last call: their notBefore passed, or they were set, released, resumed or
   * freed by the end of another one with their concurrency key.
   */
  ripe(now: number): Place[] {
    this.#advance(now)
    return this.#typeQueues.fresh().map(({ namespace, executorType }) => ({ namespace, executorType }))
  }

  /** Processes whose deadline has passed, the longest overdue first. Each is returned again after RETRY_MS if it is still due. */
  due(now: number, limit: number): Due[] {
    this.#advance(now)
    return this.#deadlines.take(now, limit)
  }

  /** The server did not run until now: a cancelled attempt could not be closed, so its grace period starts again. */
  resumed(now: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.cancelSeen === undefined) continue
      this.#deadlines.leave(entry)
      entry.cancelSeen = now
      this.#deadlines.enter(entry)
    }
  }

  /** When to call `ripe` next; 0 means at once. */
  nextRipe(): number | undefined {
    return this.#typeQueues.isFresh() ? 0 : this.#ripening.peek()?.process.notBefore
  }

  /** When to call `due` next; 0 means at once. */
  nextDue(): number | undefined {
    return this.#deadlines.nextTime()
  }

  /** The Processes that run on an executor. */
  *running(namespace: string, executor: string): Generator<QueuedProcess> {
    for (const { process } of this.#held.get(idOf(namespace, executor))) yield process
  }

  /** A reserved Process counts as waiting, since that is its committed state. */
  ofKey(namespace: string, concurrencyKey: string) {
    return this.#keyQueues.of(namespace, concurrencyKey)
  }

  *depth(): Generator<Depth> {
    for (const { namespace, executorType, waiting, running } of this.#typeQueues.values()) {
      const oldestSubmittedAt = waiting.peek()?.process.submittedAt
      yield { namespace, executorType, waiting: waiting.size, running, oldestSubmittedAt }
    }
  }

  #advance(now: number): void {
    for (;;) {
      const entry = this.#ripening.peek()
      if (!entry || (entry.process.notBefore ?? 0) > now) break
      this.#ripening.remove(entry)
      entry.ripe = true
      this.#restand(entry)
    }
    for (const entry of this.#deadlines.advance(now)) {
      if (entry.process.phase !== 'Waiting' || entry.expired) continue
      entry.expired = true
      this.#restand(entry)
    }
  }

  /** Offers or withholds the entry after its standing has changed. */
  #restand(entry: Entry): void {
    if (entry.keyQueue) {
      entry.keyQueue.members.moved(entry)
      this.#keyQueues.settle(entry.keyQueue)
    } else if (standing(entry) === STANDING.ready) {
      this.#typeQueues.offer(entry)
    } else {
      this.#typeQueues.withhold(entry)
    }
  }

  #renew(entry: Entry, process: QueuedProcess): void {
    const isSameAttempt = entry.process.attempt === process.attempt && process.phase === 'Running' && process.cancel
    if (!isSameAttempt) entry.cancelSeen = undefined
    entry.process = process.phase === 'Ended' ? { ...process, demands: NOBODY } : process
    entry.reserved = false
    entry.expired = false
    entry.retryAt = 0
    entry.ripe = process.notBefore === undefined
  }

  #enter(entry: Entry): void {
    this.#deadlines.enter(entry)
    const { namespace, phase, executor } = entry.process
    if (phase === 'Ended') return
    if (phase === 'Waiting') this.#waiting.set(namespace, this.waitingIn(namespace) + 1)
    this.#typeQueues.enter(entry)
    this.#keyQueues.enter(entry)
    if (phase === 'Waiting' && !entry.ripe) this.#ripening.add(entry)
    else if (!entry.keyQueue && standing(entry) === STANDING.ready) this.#typeQueues.offer(entry)
    if (phase === 'Running' && executor !== undefined) this.#held.add(idOf(namespace, executor), entry)
  }

  /** Removes the entry from everything but the map. Returns the key's queue it left; the caller must settle it. */
  #withdraw(entry: Entry): KeyQueue | undefined {
    const { namespace, executor, phase } = entry.process
    if (phase === 'Waiting') {
      const left = this.waitingIn(namespace) - 1
      if (left > 0) this.#waiting.set(namespace, left)
      else this.#waiting.delete(namespace)
    }
    this.#deadlines.leave(entry)
    this.#ripening.remove(entry)
    this.#typeQueues.leave(entry)
    if (executor !== undefined) this.#held.delete(idOf(namespace, executor), entry)
    return this.#keyQueues.leave(entry)
  }

  #drop(id: string, revision: number | undefined): void {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    if (entry) this.#keyQueues.settle(this.#withdraw(entry))
    if (revision === undefined) return
    const newest = Math.max(revision, this.#gone.get(id) ?? 0)
    this.#gone.delete(id)
    this.#gone.set(id, newest)
    if (this.#gone.size <= REMEMBERED) return
    for (const oldest of this.#gone.keys()) {
      this.#gone.delete(oldest)
      break
    }
  }
}

/** A namespace has no slash in its name. */
function idOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}
