// Which events are to be written when. The same event about the same object is one series: written at once when it
// first happens, then its count, ever more seldom. Pure: the recorder brings the time and does the writing.
// Everything in it is bounded; what does not fit is counted as dropped.

import { type Allowance, TokenBucket } from './token-bucket.ts'

export interface EventBookOptions {
  /** Writes per object. Default 20 at once and 10 per minute. */
  readonly perObject?: Allowance
  /** Writes in total. Default 200 at once and 100 per minute. */
  readonly total?: Allowance
  /** Series that are remembered. Default 2,000. */
  readonly maxSeries?: number
}

export interface Series<E> {
  readonly key: string
  /** The object that the event is about. */
  readonly about: string
  readonly event: E
  readonly first: number
  last: number
  count: number
  /** The count that the API knows; 0 before the event is there. */
  written: number
  /** What the writer wants to remember, such as the event's name. */
  name: string | undefined
  /** When the next write may be. */
  due: number
  pause: number
  failures: number
  writing: boolean
}

const FIRST_PAUSE = 10_000
const LONGEST_PAUSE = 5 * 60_000
/** A series that was quiet for so long is over: the same again is a new event. */
const OVER_AFTER = 10 * 60_000
const MAX_FAILURES = 5

const PER_OBJECT: Allowance = { burst: 20, perMinute: 10 }
const TOTAL: Allowance = { burst: 200, perMinute: 100 }

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

  /** Events that were never written because there were too many. */
  get dropped(): number {
    return this.#dropped
  }

  get size(): number {
    return this.#series.size
  }

  /** Notes that it happened. `about` names the object, `key` the object and all else that makes it the same event. */
  record(about: string, key: string, event: E, now: number): void {
    const known = this.#series.get(key)
    if (known && (now - known.last <= OVER_AFTER || known.count > known.written)) {
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

  /** What is to be written now. Each is taken until `written` or `failed` is called for it. */
  take(now: number): Series<E>[] {
    const found: Series<E>[] = []
    for (const series of this.#series.values()) {
      if (series.writing || series.count === series.written || series.due > now) continue
      // The first write was paid for when it was noted: too many of them are dropped at once, not told hours later.
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

  /** All that the API does not know yet, however soon: for the end. */
  takeAll(): Series<E>[] {
    const left = [...this.#series.values()].filter((series) => !series.writing && series.count > series.written)
    for (const series of left) series.writing = true
    return left
  }

  /** When there will be something to take; undefined while nothing is unwritten. */
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

  /** The write failed. Without `again`, or after some tries, the series is given up. */
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

  /** Kept in order of use, so that the first one is the one to forget. */
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

  /** Makes room: one that is fully written if possible, else the one that was quiet for longest. */
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

/** Unwritten ones stay longer than any written one. */
function rank<E>(series: Series<E>): number {
  return series.last + (series.count > series.written ? Number.MAX_SAFE_INTEGER / 2 : 0)
}
