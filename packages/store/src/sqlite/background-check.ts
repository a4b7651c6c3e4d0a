// Checks the whole store for damaged records while it is in use: some time after it was opened and then every day, in small
// steps on the reader's thread with pauses between them. It keeps the result of the last check for health, metrics and the
// log. Nothing waits for it, and it repairs nothing.

import type { DamagedRecord } from '../contract.ts'
import { CHECK_START, type CheckPosition, type CheckStep } from './verify.ts'

export interface BackgroundCheckOptions {
  readonly step: (position: CheckPosition) => Promise<CheckStep>
  readonly afterMs: number
  readonly everyMs: number
  /** Called once for each damaged record. */
  readonly onDamage: (record: DamagedRecord) => void
}

/** Bounds the bytes that are read per second and leaves the reader's thread free for three quarters of the time. */
const BYTES_PER_SECOND = 16 << 20
const IDLE_SHARE = 3
/** How many damaged records are reported one by one; the rest are only counted. */
const MOST_TOLD = 100

interface Found {
  readonly count: number
  readonly first: DamagedRecord | undefined
}

export class BackgroundCheck {
  readonly #options: BackgroundCheckOptions
  readonly #told = new Set<string>()
  #last: Found = { count: 0, first: undefined }
  #current: Found = { count: 0, first: undefined }
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: BackgroundCheckOptions) {
    this.#options = options
  }

  start(): void {
    this.#later(this.#options.afterMs, () => this.#run(CHECK_START))
  }

  /** How many the last check found, or the current one if it has found more. */
  get count(): number {
    return this.#worst.count
  }

  /** What is wrong, for people; undefined when nothing is. */
  get summary(): string | undefined {
    const { count, first } = this.#worst
    if (first === undefined) return undefined
    const where = `${first.key === undefined ? '' : `${first.key}: `}${first.problem}`
    return `${count} damaged ${count === 1 ? 'record' : 'records, the first'}: ${where}; homeostat check lists them`
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  get #worst(): Found {
    return this.#current.count > this.#last.count ? this.#current : this.#last
  }

  async #run(position: CheckPosition): Promise<void> {
    const started = performance.now()
    let step: CheckStep
    try {
      step = await this.#options.step(position)
    } catch {
      // Health reports a file that cannot be read at all, so this check is given up.
      this.#end(this.#last)
      return
    }
    for (const record of step.damaged) this.#note(record)
    const { next } = step
    if (next === undefined) this.#end(this.#current)
    else {
      const busyMs = performance.now() - started
      const pauseMs = Math.max(IDLE_SHARE * busyMs, (step.bytes / BYTES_PER_SECOND) * 1000 - busyMs)
      this.#later(pauseMs, () => this.#run(next))
    }
  }

  #note(record: DamagedRecord): void {
    const { count, first } = this.#current
    this.#current = { count: count + 1, first: first ?? record }
    const name = `${record.revision} ${record.key}`
    if (this.#told.size >= MOST_TOLD || this.#told.has(name)) return
    this.#told.add(name)
    this.#options.onDamage(record)
  }

  #end(found: Found): void {
    this.#last = found
    this.#current = { count: 0, first: undefined }
    this.#later(this.#options.everyMs, () => this.#run(CHECK_START))
  }

  #later(ms: number, run: () => Promise<void>): void {
    if (!this.#closed) this.#timer = setTimeout(() => void run(), ms).unref()
  }
}
