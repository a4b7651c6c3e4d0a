// Rows of the log packed as records into one buffer that moves to the main thread. Every record's checksum is
// verified here, on its way out; a damaged one keeps its key and loses its value.

import { crc32 } from 'node:zlib'
import type { Revision } from '../contract.ts'
import type { Row } from './database.ts'
import {
  DAMAGE,
  ENCODING_PLAIN,
  FLAG_PREVIOUS_FOLLOWS,
  HEADER_BYTES,
  markDamage,
  markFlags,
  type RecordMemory,
  recordMemory,
  writeHeader,
} from './record.ts'

/** How many columns `columns` names. */
export const ROW_WIDTH = 10

/**
 * The columns of a record for a SELECT, in the order that `add` takes them. Key, note and value come as one blob:
 * one buffer for each row instead of three. `key` is the key it was found by, which a damaged row may not agree with.
 */
export function columns(table: string, key = `${table}.key`): string {
  const numbers = ['rev', 'prev_rev', 'op', 'encoding', 'gap', 'meta_end', 'crc'].map((name) => `${table}.${name}`)
  const body = `CAST(${key} || coalesce(${table}.note, x'') || coalesce(${table}.value, x'') AS BLOB)`
  return `${numbers.join(', ')}, length(${key}), length(${table}.note), ${body}`
}

/** The key of a row selected with `columns`. */
export function rowKey(row: Row): Uint8Array {
  return bytesOf(row[9]).subarray(0, numberOf(row[7]))
}

/**
 * The buffer that a page is written into before it leaves as a copy. A caller that writes many pages reuses one: allocating and
 * growing it for each page slows the start of a server.
 */
export class PageMemory {
  records: RecordMemory
  /** Where a header is written for its checksum. */
  readonly header: RecordMemory = recordMemory(new ArrayBuffer(HEADER_BYTES))

  constructor(bytes = 0) {
    this.records = recordMemory(new ArrayBuffer(bytes))
  }

  /** Grows to at least so many bytes and keeps the content up to `end`. */
  grow(bytes: number, end: number): void {
    const bigger = recordMemory(new ArrayBuffer(Math.max(this.records.bytes.length * 2, bytes)))
    bigger.bytes.set(this.records.bytes.subarray(0, end))
    this.records = bigger
  }

  /** A copy of what is written. Memory for an unusually large page is not kept. */
  copy(end: number): ArrayBuffer {
    const { buffer } = this.records.bytes
    if (!(buffer instanceof ArrayBuffer)) throw new Error('a page is never shared memory')
    const page = buffer.slice(0, end)
    if (buffer.byteLength > MAX_KEPT) this.records = recordMemory(new ArrayBuffer(MAX_KEPT))
    return page
  }
}

const MAX_KEPT = 4 << 20

export class PageWriter {
  readonly #memory: PageMemory
  #end = 0
  #last = 0
  #count = 0
  readonly #filled: boolean

  /** `filled`: whether values get the digits of their revision. `memory` is used by one writer at a time. */
  constructor({ filled = false, memory = new PageMemory() }: { filled?: boolean; memory?: PageMemory } = {}) {
    this.#filled = filled
    this.#memory = memory
  }

  get bytes(): number {
    return this.#end
  }

  get count(): number {
    return this.#count
  }

  /** Adds a row selected with `columns`. */
  add(row: Row): void {
    const body = bytesOf(row[9])
    const keyLength = numberOf(row[7])
    const noteLength = numberOf(row[8])
    const record = {
      revision: numberOf(row[0]),
      previous: numberOf(row[1]),
      op: numberOf(row[2]),
      encoding: numberOf(row[3]),
      gap: numberOf(row[4]),
      metaEnd: numberOf(row[5]),
      keyLength,
      noteLength,
      valueLength: body.length - keyLength - noteLength,
    }
    const { header } = this.#memory
    writeHeader(header, 0, record)
    if (record.valueLength < 0 || crc32(body, crc32(header.bytes)) !== row[6]) {
      this.addDamaged(record.revision, rowKey(row), DAMAGE.checksum, record.op, record.previous)
      return
    }
    if (record.encoding !== ENCODING_PLAIN) {
      this.addDamaged(record.revision, rowKey(row), DAMAGE.encoding, record.op, record.previous)
      return
    }
    const digits = this.#filled ? String(record.revision) : ''
    const bodyAt = this.#reserve(HEADER_BYTES + digits.length + body.length) + HEADER_BYTES
    const { records } = this.#memory
    records.bytes.set(body, bodyAt + digits.length)
    if (digits !== '') {
      // The part before the gap is the shorter one to move.
      const gap = bodyAt + keyLength + noteLength + record.gap
      records.bytes.copyWithin(bodyAt, bodyAt + digits.length, gap + digits.length)
      records.bytes.write(digits, gap, 'latin1')
      record.valueLength += digits.length
      record.metaEnd += digits.length
    }
    writeHeader(records, bodyAt - HEADER_BYTES, record)
  }

  /** Adds what is known of a record that cannot be trusted or found. */
  addDamaged(revision: Revision, key: Uint8Array, damage: number, op = 0, previous = 0): void {
    const at = this.#reserve(HEADER_BYTES + key.length)
    const lengths = { keyLength: key.length, noteLength: 0, valueLength: 0 }
    const { records } = this.#memory
    writeHeader(records, at, { revision, previous, op, encoding: ENCODING_PLAIN, gap: 0, metaEnd: 0, ...lengths })
    records.bytes.set(key, at + HEADER_BYTES)
    markDamage(records, at, damage)
  }

  /** Marks the next record as the previous version of the last one. */
  expectPrevious(): void {
    markFlags(this.#memory.records, this.#last, FLAG_PREVIOUS_FOLLOWS)
  }

  /** The page, to be transferred. The writer must not be used again. */
  finish(): ArrayBuffer {
    return this.#memory.copy(this.#end)
  }

  #reserve(length: number): number {
    const at = this.#end
    if (at + length > this.#memory.records.bytes.length) this.#memory.grow(at + length, at)
    this.#last = at
    this.#end = at + length
    this.#count++
    return at
  }
}

function bytesOf(cell: unknown): Uint8Array {
  if (cell instanceof Uint8Array) return cell
  return typeof cell === 'string' ? Buffer.from(cell) : new Uint8Array(0)
}

function numberOf(cell: unknown): number {
  const number = Number(cell ?? 0)
  return Number.isSafeInteger(number) ? number : 0
}
