// One version of a key as the bytes of an etcd value: who wrote it, what it replaced, and the object. The deletion of a key
// has a record too, without an object. Writes, reads and the stream call it; pure.

import { crc32 } from 'node:zlib'
import type { Note, Value } from '../contract.ts'

/** One attempt to write, however often it is sent: the store that made it, and a number that this store uses once. */
export interface WriteId {
  readonly store: StoreId
  readonly count: number
}

/** Random, one for each store that is opened. */
export interface StoreId {
  readonly high: number
  readonly low: number
}

export interface NewRecord {
  readonly id: WriteId
  /** The etcd revision of the record that it replaces: the key's state before, or its last deletion. 0: none is known. */
  readonly previous: number
  readonly note: Note
  /** Undefined: a deletion. */
  readonly value: Value | undefined
}

export interface DecodedRecord {
  readonly previous: number
  readonly note: Note
  readonly value: Value | undefined
  readonly isDeletion: boolean
  /** Why the record cannot be trusted. */
  readonly damage: string | undefined
}

/** The number of this form. A record of another was written by a newer version, and is damaged for this one. */
const FORM = 1
const MINOR = 1
const DELETION = 2

const CHECKSUM = 0
/** The checksum covers everything from here on. */
const CHECKED = 4
const FORM_AT = 4
const FLAGS = 5
const PREVIOUS = 8
const TIME = 16
const STORE_HIGH = 24
const STORE_LOW = 28
const COUNT = 32
const GAP = 36
const META_END = 40
const USER_LENGTH = 44
const MANAGER_LENGTH = 48
const HEADER_BYTES = 52

const NOBODY: Note = { time: 0, user: '', manager: '' }

/** How many bytes the record takes besides the object's. */
export function overhead({ user, manager }: Note): number {
  return HEADER_BYTES + Buffer.byteLength(user) + Buffer.byteLength(manager)
}

/** A head, and the object's bytes as they are. */
export function encodeRecord({ id, previous, note, value }: NewRecord): readonly Uint8Array[] {
  const userLength = Buffer.byteLength(note.user)
  const managerLength = Buffer.byteLength(note.manager)
  const record = Buffer.allocUnsafe(HEADER_BYTES + userLength + managerLength)
  record[FORM_AT] = FORM
  record[FLAGS] = (note.minor ? MINOR : 0) | (value === undefined ? DELETION : 0)
  record.writeUInt16LE(0, FLAGS + 1)
  record.writeDoubleLE(previous, PREVIOUS)
  record.writeDoubleLE(note.time, TIME)
  record.writeUInt32LE(id.store.high, STORE_HIGH)
  record.writeUInt32LE(id.store.low, STORE_LOW)
  record.writeUInt32LE(id.count, COUNT)
  record.writeUInt32LE(value?.gap ?? 0, GAP)
  record.writeUInt32LE(value?.metaEnd ?? 0, META_END)
  record.writeUInt32LE(userLength, USER_LENGTH)
  record.writeUInt32LE(managerLength, MANAGER_LENGTH)
  record.write(note.user, HEADER_BYTES)
  record.write(note.manager, HEADER_BYTES + userLength)
  const head = crc32(record.subarray(CHECKED))
  record.writeUInt32LE(value === undefined ? head : crc32(value.bytes, head), CHECKSUM)
  return value === undefined ? [record] : [record, value.bytes]
}

/** The object's bytes stay where they are. */
export function decodeRecord(record: Buffer): DecodedRecord {
  const damage = damageOf(record)
  if (damage !== undefined) return { previous: 0, note: NOBODY, value: undefined, isDeletion: false, damage }
  const flags = record[FLAGS] ?? 0
  const manager = HEADER_BYTES + record.readUInt32LE(USER_LENGTH)
  const body = manager + record.readUInt32LE(MANAGER_LENGTH)
  const isDeletion = (flags & DELETION) !== 0
  const note: Note = {
    time: record.readDoubleLE(TIME),
    user: record.toString('utf8', HEADER_BYTES, manager),
    manager: record.toString('utf8', manager, body),
  }
  return {
    previous: previousOf(record),
    note: (flags & MINOR) === 0 ? note : { ...note, minor: true },
    value: isDeletion
      ? undefined
      : { bytes: record.subarray(body), gap: record.readUInt32LE(GAP), metaEnd: record.readUInt32LE(META_END) },
    isDeletion,
    damage: undefined,
  }
}

/** Of a record that is sound. */
export function previousOf(record: Buffer): number {
  return record.readDoubleLE(PREVIOUS)
}

/** The number of the write if the store made this record; undefined for the record of another, or for none at all. */
export function countOf(record: Buffer, { high, low }: StoreId): number | undefined {
  if (record.length < HEADER_BYTES || record.readUInt32LE(STORE_LOW) !== low) return undefined
  return record.readUInt32LE(STORE_HIGH) === high ? record.readUInt32LE(COUNT) : undefined
}

export function isWrittenAs(record: Buffer, { store, count }: WriteId): boolean {
  return countOf(record, store) === count
}

function damageOf(record: Buffer): string | undefined {
  if (record.length < HEADER_BYTES) return 'it is too short to be a record'
  if (record[FORM_AT] !== FORM) return `it has the form ${record[FORM_AT]}, and this version reads ${FORM}`
  return crc32(record.subarray(CHECKED)) === record.readUInt32LE(CHECKSUM) ? undefined : 'its checksum does not match'
}
