// Turns a page of records into entries and changes on the main thread. Values are slices of the page.

import type { Change, Entry, Note, Value, WholeEntry } from '../contract.ts'
import {
  DAMAGE,
  damageAt,
  FLAG_PREVIOUS_FOLLOWS,
  flagsAt,
  HEADER_BYTES,
  OP_DELETE,
  OP_MINOR,
  type RecordHeader,
  type RecordMemory,
  readHeader,
  recordBytes,
  recordMemory,
} from './record.ts'

const NO_NOTE: Note = { time: 0, user: '', manager: '' }

interface Unpacked {
  readonly key: string
  readonly header: RecordHeader
  readonly note: Note
  readonly value: Value | undefined
  readonly damage: string | undefined
  readonly previousFollows: boolean
}

/** The entries of a page of current states. A record of revision 0 stands for an absent key. */
export function unpackEntries(page: ArrayBuffer): (Entry | undefined)[] {
  return unpack(page, false).map((record) => (record.header.revision === 0 ? undefined : entryOf(record)))
}

/** The entries of a page whose values are filled. They stay where they are. */
export function unpackWhole(page: ArrayBuffer): WholeEntry[] {
  const memory = recordMemory(page)
  const entries: WholeEntry[] = []
  for (let at = 0; at < page.byteLength; ) {
    const header = readHeader(memory, at)
    const { revision, gap, metaEnd, valueLength } = header
    const keyAt = at + HEADER_BYTES
    const key = memory.bytes.toString('utf8', keyAt, keyAt + header.keyLength)
    const damage = damageOf(damageAt(memory, at), revision)
    at += recordBytes(header)
    entries.push({
      key,
      revision,
      damage,
      buffer: memory.bytes,
      start: at - valueLength,
      size: valueLength,
      gap,
      metaEnd,
    })
  }
  return entries
}

/** The changes of a page, each with its previous entry where the page has one. */
export function unpackChanges(page: ArrayBuffer): Change[] {
  const changes: Change[] = []
  const records = unpack(page, true)
  for (let index = 0; index < records.length; index++) {
    const record = records[index]
    if (record === undefined) break
    const before = record.previousFollows ? records[++index] : undefined
    changes.push(changeOf(record, before === undefined ? undefined : entryOf(before)))
  }
  return changes
}

function unpack(page: ArrayBuffer, withNotes: boolean): Unpacked[] {
  const memory = recordMemory(page)
  const records: Unpacked[] = []
  for (let at = 0; at < page.byteLength; ) {
    const header = readHeader(memory, at)
    records.push(unpackRecord(memory, at, header, withNotes))
    at += recordBytes(header)
  }
  return records
}

function unpackRecord(memory: RecordMemory, at: number, header: RecordHeader, withNotes: boolean): Unpacked {
  const keyAt = at + HEADER_BYTES
  const noteAt = keyAt + header.keyLength
  const valueAt = noteAt + header.noteLength
  const damage = damageOf(damageAt(memory, at), header.revision)
  const deleted = (header.op & OP_DELETE) !== 0
  const bytes = memory.bytes.subarray(valueAt, valueAt + header.valueLength)
  return {
    key: memory.bytes.toString('utf8', keyAt, noteAt),
    header,
    note: withNotes ? readNote(memory.bytes.toString('utf8', noteAt, valueAt), header.op) : NO_NOTE,
    value: deleted || damage !== undefined ? undefined : { bytes, gap: header.gap, metaEnd: header.metaEnd },
    damage,
    previousFollows: (flagsAt(memory, at) & FLAG_PREVIOUS_FOLLOWS) !== 0,
  }
}

function entryOf({ key, header, value, damage }: Unpacked): Entry {
  return { key, revision: header.revision, value, ...(damage === undefined ? {} : { damage }) }
}

function changeOf({ key, header, note, value, damage }: Unpacked, previous: Entry | undefined): Change {
  const op = (header.op & OP_DELETE) === 0 ? 'put' : 'delete'
  return { revision: header.revision, key, op, value, previous, note, ...(damage === undefined ? {} : { damage }) }
}

function readNote(text: string, op: number): Note {
  if (text === '') return NO_NOTE
  const [time, user, manager] = JSON.parse(text) as [number, string, string]
  return (op & OP_MINOR) === 0 ? { time, user, manager } : { time, user, manager, minor: true }
}

/** The message for each kind of damage. */
export function damageText(damage: 'checksum' | 'missing' | 'unreadable' | 'encoding', revision: number): string {
  if (damage === 'encoding') return `the record at revision ${revision} is in a form that only a newer version reads`
  if (damage === 'checksum') return `the checksum of the record at revision ${revision} does not match`
  if (damage === 'missing') return `the record at revision ${revision} is missing from the file`
  return `the record at revision ${revision} cannot be read from the file`
}

function damageOf(damage: number, revision: number): string | undefined {
  if (damage === DAMAGE.none) return undefined
  if (damage === DAMAGE.checksum) return damageText('checksum', revision)
  if (damage === DAMAGE.encoding) return damageText('encoding', revision)
  return damageText(damage === DAMAGE.missing ? 'missing' : 'unreadable', revision)
}
