// Finds rows of the log in the pages of a database file without its tree, for rows that are known to be there and that
// SQLite cannot reach. Format: https://sqlite.org/fileformat2.html, sections 1.6 and 2. Whatever it reads may be
// nonsense; the checksum of a row decides.

import type { Cell, Row } from '../database.ts'
import type { ReadBytes } from '../wal-scan.ts'
import { isSoundRow } from './log-row.ts'

const LEAF_HEADER_BYTES = 8
const POINTER_BYTES = 2

/** Hands over each sound row that `wants` its revision, page by page. */
export function findLeafRows(
  read: ReadBytes,
  size: number,
  pageSize: number,
  wants: (revision: number) => boolean,
  take: (row: Row) => void,
): void {
  for (let at = 0; at < size; at += pageSize) {
    const page = read(at, pageSize)
    // The page's own header may be what is damaged, so every place of a pointer is tried.
    for (let pointer = LEAF_HEADER_BYTES; pointer + POINTER_BYTES <= page.length; pointer += POINTER_BYTES) {
      const row = rowAt(page, page.readUInt16BE(pointer), wants, read, pageSize)
      if (row !== undefined) take(row)
    }
  }
}

function rowAt(
  page: Buffer,
  cell: number,
  wants: (revision: number) => boolean,
  read: ReadBytes,
  pageSize: number,
): Row | undefined {
  if (cell < LEAF_HEADER_BYTES || cell >= page.length - 4) return undefined
  const size = varint(page, cell)
  const revision = varint(page, size.end)
  if (size.value < 20 || size.value > MOST_BYTES || !wants(revision.value)) return undefined
  const payload = payloadAt(page, revision.end, size.value, read, pageSize)
  const row = payload === undefined ? undefined : decodeRecord(payload, revision.value)
  return row !== undefined && isSoundRow(row) ? row : undefined
}

/** No object is nearly as large. */
const MOST_BYTES = 64 << 20

/** The bytes of a cell: some in the page, the rest in a chain of overflow pages. */
function payloadAt(page: Buffer, at: number, size: number, read: ReadBytes, pageSize: number): Buffer | undefined {
  const most = pageSize - 35
  if (size <= most) return page.subarray(at, at + size)
  const least = Math.floor(((pageSize - 12) * 32) / 255) - 23
  const fitting = least + ((size - least) % (pageSize - 4))
  const local = fitting <= most ? fitting : least
  if (at + local + 4 > page.length) return undefined
  const parts = [page.subarray(at, at + local)]
  let missing = size - local
  for (let next = page.readUInt32BE(at + local); missing > 0; ) {
    const overflow = next === 0 ? Buffer.alloc(0) : read((next - 1) * pageSize, pageSize)
    if (overflow.length < pageSize) return undefined
    parts.push(overflow.subarray(4, Math.min(pageSize, 4 + missing)))
    missing -= pageSize - 4
    next = overflow.readUInt32BE(0)
  }
  return Buffer.concat(parts, size)
}

/** The first column is the revision, which a table keeps outside its records. */
function decodeRecord(payload: Buffer, revision: number): Row | undefined {
  const header = varint(payload, 0)
  const cells: Cell[] = []
  let body = header.value
  for (let at = header.end; at < header.value; ) {
    const type = varint(payload, at)
    at = type.end
    const length = lengthOf(type.value)
    if (body + length > payload.length) return undefined
    cells.push(cellOf(type.value, payload.subarray(body, body + length)))
    body += length
  }
  return [revision, ...cells.slice(1)]
}

function lengthOf(type: number): number {
  return type >= 12 ? (type - 12) >> 1 : ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? 0)
}

function cellOf(type: number, bytes: Buffer): Cell {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (bytes.length === 0 && type < 12) return null
  if (type >= 12) return type % 2 === 0 ? bytes : bytes.toString()
  if (type === 6) return Number(bytes.readBigInt64BE(0))
  return type === 7 ? bytes.readDoubleBE(0) : bytes.readIntBE(0, bytes.length)
}

function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 128) return { value, end: at + i + 1 }
  }
  return { value: value * 256 + (bytes[at + 8] ?? 0), end: at + 9 }
}
