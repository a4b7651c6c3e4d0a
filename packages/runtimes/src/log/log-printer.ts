// Turns log records into the bytes that a reader gets: since a time, with timestamps, up to a number of bytes.
// Every driver uses it, so that their logs look alike.

import { rfc3339Micro } from '@homeostat/meta'
import type { LogOptions } from '../runtime.ts'
import type { LogRecord } from './log-record.ts'

export class LogPrinter {
  readonly #since: number
  readonly #timestamps: boolean
  #left: number
  #midLine = false

  constructor({ since = 0, timestamps = false, limitBytes = Number.POSITIVE_INFINITY }: LogOptions) {
    this.#since = since
    this.#timestamps = timestamps
    this.#left = limitBytes
  }

  /** The limit is reached; nothing more is printed. */
  get full(): boolean {
    return this.#left <= 0
  }

  /** Empty for a record that the options exclude. */
  print({ at, text, partial }: LogRecord): Uint8Array {
    if (at < this.#since) return NOTHING
    const stamp = this.#timestamps && !this.#midLine ? `${rfc3339Micro(at)} ` : ''
    this.#midLine = partial
    const bytes = Buffer.concat([Buffer.from(stamp), text, Buffer.from(partial ? '' : '\n')])
    const wanted = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes
    this.#left -= wanted.length
    return wanted
  }
}

const NOTHING = new Uint8Array()
