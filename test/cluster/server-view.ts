// The store as one server of a cluster sees it: the truth, over a network that is slow, loses answers, and can be cut. Its stream
// of changes is its own and lags behind. It settles nothing: an outcome that the network lost is `unknown`.

import {
  type Change,
  CompactedError,
  type Entry,
  type Fence,
  FutureRevisionError,
  type HistoryOptions,
  type Note,
  type Range,
  type Revision,
  type Store,
  type StoreHealth,
  type StoreStats,
  type Value,
  type WholeEntry,
  type WriteOutcome,
} from '@homeostat/store'
import type { Network } from './network.ts'

/** How long a question to the store may take, before the driver gives it up. */
const TIMEOUT_MS = 5000

const LEASES = 'coordination.k8s.io/leases/'

export class ServerView implements Store {
  readonly shared = true
  readonly name: string
  readonly maxValueBytes: number
  readonly #network: Network
  /** Batches that the stream has brought, and the revision before the first of them. */
  readonly #arrived: (readonly Change[])[] = []
  readonly #since: Revision
  #seen: Revision
  /** Batches that wait because the server cannot be reached. */
  readonly #coming: { readonly batch: readonly Change[]; readonly breaks: boolean }[] = []
  /** When the newest batch arrives: none overtakes another. */
  #arrivesAt = 0
  /** Rises whenever the stream breaks. */
  #breaks = 0
  #broken: Error | undefined
  readonly #waiting = new Set<() => void>()
  #asking: Promise<Revision> | undefined
  /** Answers that make a server wait for its stream: of writes, and to questions for the newest revision. */
  #answers = 0
  /** Set while the network between the server and the store is cut. */
  #isCut = false
  /** Set while the stream stands still. */
  #isStill = false
  /** Set while the server's process stands still: nothing that the store sends reaches it. */
  #frozen: PromiseWithResolvers<void> | undefined
  readonly #stop = new AbortController()
  #writes = 0
  readonly #pending = new Set<Promise<unknown>>()
  #closed = false
  #dead = false

  constructor(name: string, network: Network, since: Revision) {
    this.name = name
    this.#network = network
    this.maxValueBytes = network.truth.maxValueBytes
    this.#since = since
    this.#seen = since
    void this.#follow()
  }

  /** How far its stream has come. */
  get seen(): Revision {
    return this.#seen
  }

  get answers(): number {
    return this.#answers
  }

  /** Resolves when the store has given more answers after which a server waits for its stream. */
  async moreAnswers(before: number): Promise<void> {
    while (this.#answers <= before && !this.#closed) await this.#woken(this.#stop.signal)
  }

  /** Cuts the server off from the store, until `heal`. */
  cut(): void {
    this.#isCut = true
  }

  heal(): void {
    this.#isCut = false
    this.#drain()
  }

  /** Lets the stream stand still until `flow`, while questions and writes are answered. */
  stall(): void {
    this.#isStill = true
  }

  flow(): void {
    this.#isStill = false
    this.#drain()
  }

  /** The process stands still until `thaw`. What it has sent arrives meanwhile. */
  freeze(): void {
    this.#frozen ??= Promise.withResolvers()
  }

  thaw(): void {
    if (this.#dead) return
    this.#frozen?.resolve()
    this.#frozen = undefined
    this.#drain()
  }

  /** The process is gone: nothing reaches it any more. What it has sent still arrives. */
  kill(): void {
    this.#frozen ??= Promise.withResolvers()
    this.#dead = true
  }

  put(
    key: string,
    value: Value,
    expected: Entry | undefined,
    note: Note,
    fences: readonly Fence[] = [],
  ): Promise<WriteOutcome> {
    return this.#write(fences, () => this.#network.truth.put(key, value, expected, note, fences))
  }

  delete(key: string, expected: Entry, note: Note, fences: readonly Fence[] = []): Promise<WriteOutcome> {
    return this.#write(fences, () => this.#network.truth.delete(key, expected, note, fences))
  }

  get(key: string): Promise<Entry | undefined> {
    return this.#ask((truth) => truth.get(key))
  }

  range(prefix: string, options: { after?: string; limit: number; revision?: Revision }): Promise<Range> {
    return this.#ask((truth) => truth.range(prefix, options))
  }

  readAll(take: (entries: readonly WholeEntry[]) => void): Promise<Revision> {
    return this.#ask((truth) => truth.readAll(take))
  }

  history(key: string, options?: HistoryOptions): Promise<readonly Change[]> {
    return this.#ask((truth) => truth.history(key, options))
  }

  horizon(): Promise<Revision> {
    return this.#ask((truth) => truth.horizon())
  }

  keptFrom(revision: Revision): Promise<Revision> {
    return this.#ask((truth) => truth.keptFrom(revision))
  }

  compact(revision: Revision): Promise<void> {
    return this.#ask((truth) => truth.compact(revision))
  }

  backup(file: string): Promise<void> {
    return this.#ask((truth) => truth.backup(file))
  }

  /** Whoever asks before the question is sent shares it. */
  revision(): Promise<Revision> {
    this.#asking ??= this.#ask((truth) => {
      this.#asking = undefined
      return truth.revision()
    }).then((revision) => {
      this.#answered()
      return this.#arrival(revision)
    })
    return this.#asking
  }

  async *changes(after: Revision, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    if (after > this.#seen) {
      const newest = await this.#ask((truth) => truth.revision())
      if (after > newest) throw new FutureRevisionError(after, newest)
    }
    const horizon = await this.horizon()
    if (after < horizon) throw new CompactedError(after, horizon)
    const breaks = this.#breaks
    let at = after
    if (at < this.#since) {
      for (const batch of await this.#past(at)) yield batch
      at = this.#since
    }
    let next = this.#arrived.findIndex((batch) => (batch.at(-1)?.revision ?? 0) > at)
    if (next < 0) next = this.#arrived.length
    while (!signal.aborted && !this.#closed) {
      const batch = this.#arrived[next]
      if (batch !== undefined) {
        next++
        const news = batch.filter(({ revision }) => revision > at)
        if (news.length > 0) yield news
      } else if (this.#breaks > breaks) throw this.#broken
      else await this.#woken(signal)
    }
  }

  health(): StoreHealth {
    if (this.#closed) return { writable: false, reason: 'the store is closed' }
    return !this.#isCut ? { writable: true } : { writable: false, reason: 'the store does not answer' }
  }

  stats(): StoreStats {
    return {
      commits: this.#writes,
      writes: this.#writes,
      commitSeconds: 0,
      failedCommits: 0,
      pendingWrites: this.#pending.size,
      damagedRecords: 0,
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#dead) return this.#stop.abort()
    this.thaw()
    this.heal()
    this.flow()
    await Promise.all(this.#pending)
    this.#stop.abort()
    this.#wake()
  }

  #write(fences: readonly Fence[], apply: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
    if (this.#closed) return Promise.resolve({ type: 'failed', error: new Error('the store is closed') })
    const writing = this.#delivered(this.#carryOut(fences, apply)).finally(() => {
      this.#pending.delete(writing)
      this.#answered()
    })
    this.#pending.add(writing)
    return writing
  }

  async #carryOut(fences: readonly Fence[], apply: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
    const { schedule, random } = this.#network
    const { unknowns, failures, lostFences } = this.#network.faults
    const lost = { type: 'unknown', error: new Error('the store did not answer in time') } as const
    await this.#network.transit()
    if (this.#network.happens(failures)) return { type: 'failed', error: new Error('the store refused the write') }
    if (this.#isCut) {
      await schedule.pause(TIMEOUT_MS)
      return lost
    }
    for (const { key } of fences)
      if (key.startsWith(LEASES) && this.#network.happens(lostFences)) await this.#network.touch(key)
    if (this.#network.happens(unknowns)) {
      const fate = random.pick(['applied', 'dropped', 'later'])
      if (fate === 'applied') await apply()
      await schedule.pause(random.between(0, TIMEOUT_MS))
      if (fate === 'later') schedule.after(random.between(0, TIMEOUT_MS), () => void apply())
      return lost
    }
    const outcome = await apply()
    if (outcome.type === 'committed') this.#writes++
    await this.#network.transit()
    if (!this.#isCut) return outcome
    await schedule.pause(TIMEOUT_MS)
    return lost
  }

  #ask<T>(question: (truth: Network['truth']) => Promise<T>): Promise<T> {
    return this.#delivered(this.#askNow(question))
  }

  async #askNow<T>(question: (truth: Network['truth']) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the store is closed')
    await this.#network.transit()
    if (this.#isCut) {
      await this.#network.schedule.pause(TIMEOUT_MS)
      // Whoever shares the question must not share its answer.
      this.#asking = undefined
      throw new Error('the store does not answer')
    }
    const answer = await question(this.#network.truth)
    await this.#network.transit()
    return answer
  }

  /** An answer reaches the process when it runs. */
  async #delivered<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } finally {
      while (this.#frozen !== undefined) await this.#frozen.promise
    }
  }

  /** The changes between the revision and the stream's start. */
  async #past(after: Revision): Promise<(readonly Change[])[]> {
    const past: (readonly Change[])[] = []
    for await (const batch of this.#network.truth.changes(after, this.#stop.signal)) {
      past.push(batch.filter(({ revision }) => revision <= this.#since))
      if ((batch.at(-1)?.revision ?? 0) >= this.#since) break
    }
    return past.filter((batch) => batch.length > 0)
  }

  async #follow(): Promise<void> {
    for await (const batch of this.#network.truth.changes(this.#since, this.#stop.signal)) this.#bring(batch)
  }

  #bring(batch: readonly Change[]): void {
    if (this.#dead) return
    const { schedule, random, faults } = this.#network
    const stalls = this.#network.happens(faults.stalls)
    const lag = random.between(0, faults.lagMs + 1) + (stalls ? random.between(0, faults.stallMs + 1) : 0)
    const breaks = this.#network.happens(faults.breaks)
    this.#arrivesAt = Math.max(this.#arrivesAt, schedule.now + lag)
    schedule.after(this.#arrivesAt - schedule.now, () => this.#arrive(batch, breaks))
  }

  /** What cannot reach the server now waits on the other side, and comes in order. */
  #arrive(batch: readonly Change[], breaks: boolean): void {
    this.#coming.push({ batch, breaks: breaks || this.#isCut })
    this.#drain()
  }

  #drain(): void {
    if (this.#isCut || this.#isStill || this.#frozen !== undefined || this.#coming.length === 0) return
    for (const { batch, breaks } of this.#coming.splice(0)) {
      if (breaks) {
        this.#breaks++
        this.#broken = new Error('the stream of changes broke')
      }
      this.#arrived.push(batch)
      this.#seen = batch.at(-1)?.revision ?? this.#seen
    }
    this.#wake()
  }

  /** Resolves to the revision when the stream has brought it. */
  async #arrival(revision: Revision): Promise<Revision> {
    while (this.#seen < revision && !this.#closed) await this.#woken(this.#stop.signal)
    return revision
  }

  #answered(): void {
    this.#answers++
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  #woken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  }
}
