// Sends the log of a function in batches, in order, one request at a time. While the server does not accept it, memory is
// bounded and the function goes on. A text may arrive twice when a response was lost.

import { Backoff, type Clock, pause } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { Wakeup } from './waiting.ts'

interface ProcessLogOptions {
  readonly send: (text: string, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  readonly random: () => number
  /** Called once, when texts are dropped because the server refuses them. */
  readonly onRefused: (error: Error) => void
}

const GATHER_MS = 200
/** In characters: sent at once from here on, and left out beyond the second. */
const ENOUGH = 64 * 1024
const MAX_PENDING = 1024 * 1024
/** How long the close of a Process may wait for its log. */
const FLUSH_MS = 5000
const RETRIED: ReadonlySet<number> = new Set([401, 408, 429])

export class ProcessLog {
  readonly #options: ProcessLogOptions
  /** Ends what is being sent. Most functions write nothing, and have none: it costs more than a function that does little. */
  #ending: AbortController | undefined
  #isEnded = false
  readonly #emptied = new Wakeup()
  #pending: string[] = []
  #length = 0
  #leftOut = 0
  #cancelTimer: (() => void) | undefined
  #sending = false

  constructor(options: ProcessLogOptions) {
    this.#options = options
  }

  /** Each text is a line, or several. */
  write(text: string): void {
    if (this.#isEnded) return
    const line = text.endsWith('\n') ? text : `${text}\n`
    if (this.#length + line.length > MAX_PENDING) {
      this.#leftOut += line.length
      return
    }
    this.#noteLeftOut()
    this.#push(line)
    if (this.#length >= ENOUGH) this.#begin()
    else this.#cancelTimer ??= this.#options.clock.setTimer(GATHER_MS, () => this.#begin())
  }

  /** Waits until everything is sent, for a few seconds at most, and ends. */
  async flush(): Promise<void> {
    this.#noteLeftOut()
    this.#begin()
    if (this.#ending !== undefined) await this.#untilSent(this.#ending.signal)
    this.end()
  }

  /** Stops sending. */
  end(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#pending = []
    this.#length = 0
    this.#sending = false
    this.#isEnded = true
    this.#ending?.abort(new Error('the log has ended'))
  }

  async #untilSent(signal: AbortSignal): Promise<void> {
    const cancel = this.#options.clock.setTimer(FLUSH_MS, () => this.end())
    while (this.#sending) await this.#emptied.wait(signal)
    cancel()
  }

  #push(line: string): void {
    this.#pending.push(line)
    this.#length += line.length
  }

  #noteLeftOut(): void {
    if (this.#leftOut === 0) return
    this.#push(`[${this.#leftOut} characters were left out: the server did not take them in time]\n`)
    this.#leftOut = 0
  }

  #begin(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (this.#sending || this.#pending.length === 0) return
    this.#sending = true
    this.#ending ??= new AbortController()
    void this.#sendAll(this.#ending.signal)
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    while (this.#pending.length > 0 && !signal.aborted) {
      const text = this.#pending.join('')
      this.#pending = []
      await this.#sendOne(text, signal)
      this.#length -= text.length
    }
    this.#sending = false
    this.#emptied.wake()
  }

  async #sendOne(text: string, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options
    const backoff = new Backoff({ min: 500, max: 10_000, jitter: 0.5, random })
    while (!signal.aborted) {
      try {
        await this.#options.send(text, signal)
        return
      } catch (error) {
        if (signal.aborted) return
        if (isRefused(error)) {
          this.#options.onRefused(error)
          this.end()
          return
        }
        await pause(clock, backoff.next('log'), signal)
      }
    }
  }
}

function isRefused(error: unknown): error is Error {
  return isStatusError(error) && error.code >= 400 && error.code < 500 && !RETRIED.has(error.code)
}
