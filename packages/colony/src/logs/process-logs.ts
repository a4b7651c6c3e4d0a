// Stores the logs of Processes outside of the store: a folder per Process with at most two files. Accepted lines are
// written to the file before the call returns, but not synced to disk.

import { appendFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatRecord, LOG_FILES, type LogOptions, readLog } from '@homeostat/runtimes'

/** Limit of one Process, for both files. */
const LIMIT_BYTES = 10 << 20
/** A longer line is split. */
const LONGEST_LINE = 16 << 10
const NEWLINE = 10

interface Writing {
  /** Bytes in the current file. */
  size: number
  /** Resolves when everything so far is written. */
  last: Promise<void>
  waiting: number
}

export class ProcessLogs {
  readonly #directory: string
  readonly #limit: number
  /** Logs with a write in progress, by uid. */
  readonly #writing = new Map<string, Writing>()

  constructor(directory: string, limitBytes = LIMIT_BYTES) {
    this.#directory = directory
    this.#limit = Math.floor(limitBytes / 2)
  }

  /** Appends in the order of the calls, and ends an incomplete last line. */
  async append(uid: string, text: Uint8Array, at: number): Promise<void> {
    const writing = this.#writing.get(uid) ?? (await this.#begin(uid))
    writing.waiting++
    const done = writing.last.then(() => this.#write(uid, writing, records(text, at)))
    writing.last = done.catch(() => {})
    try {
      await done
    } finally {
      writing.waiting--
      if (writing.waiting === 0) this.#writing.delete(uid)
    }
  }

  read(uid: string, options: LogOptions, ended: () => boolean): AsyncIterable<Uint8Array> {
    return readLog(this.#folder(uid), options, ended)
  }

  async remove(uid: string): Promise<void> {
    await rm(this.#folder(uid), { recursive: true, force: true })
  }

  /** Removes the logs of Processes that no longer exist. */
  async keepOnly(wanted: () => ReadonlySet<string>): Promise<void> {
    const folders = await readdir(this.#directory).catch(() => [])
    if (folders.length === 0) return
    const uids = wanted()
    for (const folder of folders) if (!uids.has(folder)) await this.remove(folder)
  }

  async #begin(uid: string): Promise<Writing> {
    const folder = this.#folder(uid)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { size } = await stat(join(folder, LOG_FILES.current)).catch(() => ({ size: 0 }))
    // Another call may have started meanwhile.
    const known = this.#writing.get(uid)
    if (known !== undefined) return known
    const writing = { size, last: Promise.resolve(), waiting: 0 }
    this.#writing.set(uid, writing)
    return writing
  }

  async #write(uid: string, writing: Writing, bytes: Uint8Array): Promise<void> {
    const folder = this.#folder(uid)
    const current = join(folder, LOG_FILES.current)
    if (writing.size > 0 && writing.size + bytes.length > this.#limit) {
      await rename(current, join(folder, LOG_FILES.older))
      writing.size = 0
    }
    await appendFile(current, bytes, { mode: 0o600 })
    writing.size += bytes.length
  }

  #folder(uid: string): string {
    return join(this.#directory, uid)
  }
}

function records(text: Uint8Array, at: number): Uint8Array {
  const parts: Uint8Array[] = []
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf(NEWLINE, start)
    const end = found < 0 ? text.length : found
    for (; end - start > LONGEST_LINE; start += LONGEST_LINE) {
      parts.push(formatRecord({ at, text: text.subarray(start, start + LONGEST_LINE), partial: true }, 'stdout'))
    }
    parts.push(formatRecord({ at, text: text.subarray(start, end), partial: false }, 'stdout'))
    start = end + 1
  }
  return Buffer.concat(parts)
}
