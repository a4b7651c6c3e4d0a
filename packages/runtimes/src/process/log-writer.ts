// Writes a unit's output into its log file, line by line with the time of arrival. A full file is rotated, so that a unit
// never has more than two. Only the unit's keeper calls this.

import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_FILES } from '../log/log-files.ts'
import { formatRecord } from '../log/log-record.ts'

export type Stream = 'stdout' | 'stderr'

/** A longer line is written in parts. */
const LONGEST_LINE = 16 * 1024

export class LogWriter {
  readonly #folder: string
  readonly #limit: number
  readonly #rest: Record<Stream, Buffer> = { stdout: EMPTY, stderr: EMPTY }
  #file: number
  #size = 0

  constructor(folder: string, limitBytes: number) {
    this.#folder = folder
    this.#limit = limitBytes
    this.#file = this.#open()
  }

  /** Writes synchronously, so that a program that writes faster than the disk has to wait. */
  write(stream: Stream, chunk: Buffer, at: number): void {
    let rest = this.#rest[stream].length > 0 ? Buffer.concat([this.#rest[stream], chunk]) : chunk
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#line(stream, rest.subarray(0, end), at, false)
      rest = rest.subarray(end + 1)
    }
    while (rest.length >= LONGEST_LINE) {
      this.#record(stream, rest.subarray(0, LONGEST_LINE), at, true)
      rest = rest.subarray(LONGEST_LINE)
    }
    this.#rest[stream] = Buffer.from(rest)
  }

  /** Writes the lines that have no newline yet. */
  end(at: number): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#rest[stream].length > 0) this.#record(stream, this.#rest[stream], at, true)
      this.#rest[stream] = EMPTY
    }
    closeSync(this.#file)
  }

  #line(stream: Stream, text: Buffer, at: number, partial: boolean): void {
    let rest = text
    for (; rest.length > LONGEST_LINE; rest = rest.subarray(LONGEST_LINE)) {
      this.#record(stream, rest.subarray(0, LONGEST_LINE), at, true)
    }
    this.#record(stream, rest, at, partial)
  }

  #record(stream: Stream, text: Buffer, at: number, partial: boolean): void {
    const bytes = formatRecord({ at, text, partial }, stream)
    try {
      if (this.#size > 0 && this.#size + bytes.length > this.#limit) this.#rotate()
      writeSync(this.#file, bytes)
      this.#size += bytes.length
    } catch {
      // With a full disk the log loses lines; the program goes on.
    }
  }

  #rotate(): void {
    closeSync(this.#file)
    renameSync(join(this.#folder, LOG_FILES.current), join(this.#folder, LOG_FILES.older))
    this.#file = this.#open()
    this.#size = 0
  }

  #open(): number {
    return openSync(join(this.#folder, LOG_FILES.current), 'a', 0o600)
  }
}

const EMPTY = Buffer.alloc(0)
const NEWLINE = '\n'.charCodeAt(0)
