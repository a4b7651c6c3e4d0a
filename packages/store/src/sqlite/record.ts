// One change as bytes: the form in which it crosses threads, in batches and in pages, and over which its
// checksum is taken. Writer, readers and the main thread share it; it knows nothing of SQLite.

import { crc32 } from 'node:zlib'
import type { Revision } from '../contract.ts'

/**
 * Bits of `op`. The first change of a commit is marked so that a reader never splits a commit. A minor change is no history; rows
 * of older versions never have that bit, so that all of them are.
 */
export const OP_DELETE = 1
export const OP_COMMIT_START = 2
export const OP_MINOR = 4

/**
 * How the value is written: the codec's number. There is one so far; a record of another was written by a newer version, and
 * is damaged for this one.
 */
export const ENCODING_PLAIN = 0

export const DAMAGE = { none: 0, checksum: 1, missing: 2, unreadable: 3, encoding: 4 } as const

/** The record that follows in the page is what the key held before. */
export const FLAG_PREVIOUS_FOLLOWS = 1

export const HEADER_BYTES = 40
const REVISION = 0
const PREVIOUS = 8
const OP = 16
const ENCODING = 17
const DAMAGED = 18
const FLAGS = 19
const GAP = 20
const META_END = 24
const KEY_LENGTH = 28
const NOTE_LENGTH = 32
const VALUE_LENGTH = 36

export interface RecordHeader {
  revision: Revision
  previous: Revision
  op: number
  encoding: number
  gap: number
  metaEnd: number
  keyLength: number
  noteLength: number
  valueLength: number
}

/** Bytes with the two views that reading and writing records needs. */
export interface RecordMemory {
  readonly bytes: Buffer
  readonly view: DataView
}

export function recordMemory(memory: ArrayBufferLike): RecordMemory {
  return { bytes: Buffer.from(memory), view: new DataView(memory) }
}

export function writeHeader({ view }: RecordMemory, at: number, header: RecordHeader): void {
  view.setFloat64(at + REVISION, header.revision, true)
  view.setFloat64(at + PREVIOUS, header.previous, true)
  view.setUint32(at + OP, (header.op & 0xff) | ((header.encoding & 0xff) << 8), true)
  view.setUint32(at + GAP, header.gap, true)
  view.setUint32(at + META_END, header.metaEnd, true)
  view.setUint32(at + KEY_LENGTH, header.keyLength, true)
  view.setUint32(at + NOTE_LENGTH, header.noteLength, true)
  view.setUint32(at + VALUE_LENGTH, header.valueLength, true)
}

export function readHeader({ view }: RecordMemory, at: number): RecordHeader {
  return {
    revision: view.getFloat64(at + REVISION, true),
    previous: view.getFloat64(at + PREVIOUS, true),
    op: view.getUint8(at + OP),
    encoding: view.getUint8(at + ENCODING),
    gap: view.getUint32(at + GAP, true),
    metaEnd: view.getUint32(at + META_END, true),
    keyLength: view.getUint32(at + KEY_LENGTH, true),
    noteLength: view.getUint32(at + NOTE_LENGTH, true),
    valueLength: view.getUint32(at + VALUE_LENGTH, true),
  }
}

/** Gives a record its place in the log, known only to the writer. */
export function placeRecord({ view }: RecordMemory, at: number, revision: Revision, op: number): void {
  view.setFloat64(at + REVISION, revision, true)
  view.setUint8(at + OP, op)
}

export function recordBytes(header: RecordHeader): number {
  return HEADER_BYTES + header.keyLength + header.noteLength + header.valueLength
}

export function checksum({ bytes }: RecordMemory, at: number, length: number): number {
  return crc32(bytes.subarray(at, at + length))
}

export function markDamage({ view }: RecordMemory, at: number, damage: number): void {
  view.setUint8(at + DAMAGED, damage)
}

export function damageAt({ view }: RecordMemory, at: number): number {
  return view.getUint8(at + DAMAGED)
}

export function markFlags({ view }: RecordMemory, at: number, flags: number): void {
  view.setUint8(at + FLAGS, flags)
}

export function flagsAt({ view }: RecordMemory, at: number): number {
  return view.getUint8(at + FLAGS)
}
