// A row of the log as it is copied from a damaged store to a new one. Its own checksum decides whether it is sound.

import { crc32 } from 'node:zlib'
import type { Row } from '../database.ts'
import { HEADER_BYTES, recordMemory, writeHeader } from '../record.ts'

/** The columns of the table, in its own order. */
export const LOG_COLUMNS = 'rev, key, prev_rev, op, encoding, gap, meta_end, note, crc, value'
const COLUMN_COUNT = 10

export function isSoundRow(row: Row): boolean {
  const [rev, key, previous, op, encoding, gap, metaEnd, note, crc, value] = row
  if (row.length !== COLUMN_COUNT || !(key instanceof Uint8Array) || !(note instanceof Uint8Array)) return false
  if (value !== null && !(value instanceof Uint8Array)) return false
  const numbers = [rev, previous, op, encoding, gap, metaEnd].map(Number)
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return false
  const header = recordMemory(new ArrayBuffer(HEADER_BYTES))
  const [revision = 0, before = 0, operation = 0, form = 0, gapAt = 0, end = 0] = numbers
  writeHeader(header, 0, {
    revision,
    previous: before,
    op: operation,
    encoding: form,
    gap: gapAt,
    metaEnd: end,
    keyLength: key.length,
    noteLength: note.length,
    valueLength: value?.length ?? 0,
  })
  const body = [key, note, ...(value === null ? [] : [value])]
  return body.reduce((sum, bytes) => crc32(bytes, sum), crc32(header.bytes)) === Number(crc)
}
