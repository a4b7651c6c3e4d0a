// Decides which events to write and when. Equal events about one object form a series: the first is written at once,
// later ones only raise its count, at growing intervals. Pure: the recorder passes the time and writes. All of it is
// bounded; what does not fit is counted as dropped.

import { type Allowance, TokenBucket } from './token-bucket.ts'

export interface EventBookOptions {
  /** Rate limit of writes per object. Default: burst 20, then 10 per minute. */
  readonly perObject?: Allowance
  /** Rate limit of all writes. Default: burst 200, then 100 per minute. */
  readonly total?: Allowance
  /** Limit on remembered series. Default 2,000. */
  readonly maxSeries?: number
}

export interface Series<E> {
  readonly key: string
  /** Key of the object that the event is about. */
  readonly about: string
  /** Its newest occurrence. */
  event: E
  readonly first: number
  last: number
  count: number
  /** The count last written to the API; 0 before the event exists there. */
  written: number
  /** State of the writer, such as the event's name. */
  name: string | undefined
  /** The earliest time of the next write. */
  due: number
  pause: number
  failures: number
  writing: boolean
}

const FIRST_PAUSE = 10_000
const LONGEST_PAUSE = 5 * 60_000
/** A series that is quiet for this long ends; the same event then starts a new one. */
const OVER_AFTER = 10 * 60_000
const MAX_FAILURES = 5

const PER_OBJECT: Allowance = { burst: 20, perSecond: 10 / 60 }
const TOTAL: Allowance = { burst: 200, perSecond: 100 / 60 }

export class EventBook<E> {
  readonly #series = new Map<string, Series<E>>()
  readonly #objects = new Map<string, TokenBucket>()
  readonly #perObject: Allowance
  readonly #maxSeries: number
  readonly #total: TokenBucket
  #dropped = 0

  constructor(now: number, options: EventBookOptions = {}) {
    this.#perObject = options.perObject ?? PER_OBJECT
    this.#maxSeries = options.maxSeries ?? 2000
    this.#total = new TokenBucket(options.total ?? TOTAL, now)
  }

  /** Number of events dropped because there were too many. */
  get dropped(): number {
    return this.#dropped
  }

  get size(): number {
    return this.#series.size
  }

  /**
   * Records one occurrence. `about` is the key of the object, `key` that of the series: the object and all that makes
   * two events equal.
   */
  record(about: string, key: string, event: E, now: number): void {
    const known = this.#series.get(key)
    if (known && (now - known.last <= OVER_AFTER || known.count > known.written)) {
      known.event = event
      known.count++
      known.last = now
      return
    }
    this.#series.delete(key)
    if (!this.#allows(about, now)) {
      this.#dropped++
      return
    }
    this.#spend(about, now)
    this.#evict()
    this.#series.set(key, {
      key,
      about,
      event,
      first: now,
      last: now,
      count: 1,
      written: 0,
      name: undefined,
      due: now,
      pause: FIRST_PAUSE,
      failures: 0,
      writing: false,
    })
  }

  /** Takes the series to write now. Each stays taken until `written` or `failed` is called for it. */
  take(now: number): Series<E>[] {
    const found: Series<E>[] = []
    for (const series of this.#series.values()) {
      if (series.writing || series.count === series.written || series.due > now) continue
      // `note` already charged the first write: events over the limit are dropped at once, not written hours later.
      if (series.written > 0) {
        if (!this.#allows(series.about, now)) {
          series.due = now + Math.max(this.#total.wait(now), this.#bucket(series.about, now).wait(now))
          continue
        }
        this.#spend(series.about, now)
      }
      series.writing = true
      found.push(series)
    }
    return found
  }

  /** Takes all unwritten series regardless of their due time: for shutdown. */
  takeAll(): Series<E>[] {
    const left = [...this.#series.values()].filter((series) => !series.writing && series.count > series.written)
    for (const series of left) series.writing = true
    return left
  }

  /** When `take` next has something; undefined while everything is written. */
  next(): number | undefined {
    let next: number | undefined
    for (const series of this.#series.values()) {
      if (series.writing || series.count === series.written) continue
      if (next === undefined || series.due < next) next = series.due
    }
    return next
  }

  written(series: Series<E>, count: number, now: number): void {
    series.writing = false
    series.failures = 0
    series.written = count
    series.due = now + series.pause
    series.pause = Math.min(series.pause * 2, LONGEST_PAUSE)
  }

  /** The write failed. Without `again`, or after several attempts, the series is dropped. */
  failed(series: Series<E>, again: boolean, now: number): void {
    series.writing = false
    series.failures++
    if (again && series.failures < MAX_FAILURES) {
      series.due = now + 1000 * 2 ** series.failures
      return
    }
    this.#dropped++
    if (this.#series.get(series.key) === series) this.#series.delete(series.key)
  }

  #allows(about: string, now: number): boolean {
    return this.#total.has(now) && this.#bucket(about, now).has(now)
  }

  #spend(about: string, now: number): void {
    this.#total.take()
    this.#bucket(about, now).take()
  }

  /** Re-inserts the series, so that the map is in order of use and the first entry is evicted first. */
  #bucket(about: string, now: number): TokenBucket {
    const known = this.#objects.get(about)
    const bucket = known ?? new TokenBucket(this.#perObject, now)
    this.#objects.delete(about)
    if (!known && this.#objects.size >= this.#maxSeries) {
      for (const oldest of this.#objects.keys()) {
        this.#objects.delete(oldest)
        break
      }
    }
    this.#objects.set(about, bucket)
    return bucket
  }

  /** Evicts one series: a fully written one if there is one, else the one that was quiet for longest. */
  #evict(): void {
    if (this.#series.size < this.#maxSeries) return
    let victim: Series<E> | undefined
    for (const series of this.#series.values()) {
      if (!victim || rank(series) < rank(victim)) victim = series
    }
    if (!victim) return
    this.#series.delete(victim.key)
    if (victim.count > victim.written) this.#dropped++
  }
}

/** Eviction order: written series go before unwritten ones. */
function rank<E>(series: Series<E>): number {
  return series.last + (series.count > series.written ? Number.MAX_SAFE_INTEGER / 2 : 0)
}
