// Rows of the log packed as records into one buffer that moves to the main thread. Every record's checksum is
// verified here, on its way out; a damaged one keeps its key and loses its value.

import { crc32 } from 'node:zlib'
import type { Revision } from '../contract.ts'
import type { Row } from './database.ts'
import {
  DAMAGE,
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

/** Pages are written one at a time, all into the same memory, and leave as copies: growing anew each time costs more. */
let scratch: RecordMemory = recordMemory(new ArrayBuffer(64 * 1024))
const MAX_SCRATCH = 4 << 20
/** Where a header is written for its checksum. */
const header = recordMemory(new ArrayBuffer(HEADER_BYTES))

export class PageWriter {
  #end = 0
  #last = 0
  #count = 0
  readonly #filled: boolean

  /** Whether values get the digits of their revision. */
  constructor(filled = false) {
    this.#filled = filled
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
    writeHeader(header, 0, record)
    if (record.valueLength < 0 || crc32(body, crc32(header.bytes)) !== row[6]) {
      this.addDamaged(record.revision, rowKey(row), DAMAGE.checksum, record.op, record.previous)
      return
    }
    const digits = this.#filled ? String(record.revision) : ''
    const bodyAt = this.#reserve(HEADER_BYTES + digits.length + body.length) + HEADER_BYTES
    scratch.bytes.set(body, bodyAt + digits.length)
    if (digits !== '') {
      // What comes before the gap is the shorter part to be moved.
      const gap = bodyAt + keyLength + noteLength + record.gap
      scratch.bytes.copyWithin(bodyAt, bodyAt + digits.length, gap + digits.length)
      scratch.bytes.write(digits, gap, 'latin1')
      record.valueLength += digits.length
      record.metaEnd += digits.length
    }
    writeHeader(scratch, bodyAt - HEADER_BYTES, record)
  }

  /** Adds what is known of a record that cannot be trusted or found. */
  addDamaged(revision: Revision, key: Uint8Array, damage: number, op = 0, previous = 0): void {
    const at = this.#reserve(HEADER_BYTES + key.length)
    const lengths = { keyLength: key.length, noteLength: 0, valueLength: 0 }
    writeHeader(scratch, at, { revision, previous, op, encoding: 0, gap: 0, metaEnd: 0, ...lengths })
    scratch.bytes.set(key, at + HEADER_BYTES)
    markDamage(scratch, at, damage)
  }

  /** Says that the next record is what the key of the last one held before. */
  expectPrevious(): void {
    markFlags(scratch, this.#last, FLAG_PREVIOUS_FOLLOWS)
  }

  /** The page, to be transferred. The writer must not be used again. */
  finish(): ArrayBuffer {
    const { buffer } = scratch.bytes
    if (!(buffer instanceof ArrayBuffer)) throw new Error('a page is never shared memory')
    const page = buffer.slice(0, this.#end)
    if (buffer.byteLength > MAX_SCRATCH) scratch = recordMemory(new ArrayBuffer(MAX_SCRATCH))
    return page
  }

  #reserve(length: number): number {
    const at = this.#end
    if (at + length > scratch.bytes.length) {
      const bigger = recordMemory(new ArrayBuffer(Math.max(scratch.bytes.length * 2, at + length)))
      bigger.bytes.set(scratch.bytes.subarray(0, at))
      scratch = bigger
    }
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
