// Reads a SQLite WAL as bytes, before SQLite does: which frames SQLite will recover, and whether what it will drop was
// already durable. Pure over a function that reads bytes. See https://sqlite.org/fileformat2.html, section 4.
//
// SQLite stops at the first frame that does not continue the chain of checksums and drops the rest without a word. But
// a frame can also be checked against the checksum stored in the frame before it. Each commit is synced before the next
// transaction begins, so only the last transaction can be torn by a power cut: a whole commit frame beyond the end, and
// after it a frame that continues it, prove that a transaction was synced and has been damaged since.

export const WAL_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
const MAGIC_LITTLE = 0x377f0682
const MAGIC_BIG = 0x377f0683
const CHUNK_FRAMES = 256

/** Answers the bytes at a place of the file; fewer at its end. */
export type ReadBytes = (at: number, length: number) => Buffer

export interface WalFrame {
  readonly page: number
  /** The size of the database in pages, in the last frame of a transaction; 0 in all others. */
  readonly commit: number
  /** The generation it belongs to; a WAL that starts over leaves frames of older ones behind. */
  readonly salt: bigint
  /** Its checksum continues that of the frame before it, and so does its salt. */
  readonly chains: boolean
}

export interface WalScan {
  readonly header: 'absent' | 'sound' | 'damaged'
  readonly pageSize: number
  readonly salt: bigint
  readonly frames: readonly WalFrame[]
  /** How many frames SQLite will use: those up to the last commit before the first bad one. */
  readonly recovered: number
  /** What SQLite will drop was durable. */
  readonly lost: boolean
}

export interface Checksum {
  readonly a: number
  readonly b: number
}

export function scanWal(read: ReadBytes, size: number, pageSizeOfData = 4096): WalScan {
  if (size < WAL_HEADER_BYTES)
    return { header: 'absent', pageSize: pageSizeOfData, salt: 0n, frames: [], recovered: 0, lost: false }
  const header = readHeader(read(0, WAL_HEADER_BYTES))
  const { pageSize = pageSizeOfData, big = false } = header ?? {}
  const frames = readFrames(read, size, FRAME_HEADER_BYTES + pageSize, big, header)
  if (header === undefined) {
    const salt = frames.find(({ chains }) => chains)?.salt ?? 0n
    return { header: 'damaged', pageSize, salt, frames, recovered: 0, lost: false }
  }
  const end = wholeUntil(frames, 0)
  const recovered = lastCommit(frames, 0, end) + 1
  return { header: 'sound', pageSize, salt: header.salt, frames, recovered, lost: isLost(frames, header.salt, end) }
}

/** A transaction from here on that was followed by another one. */
export function isLost(frames: readonly WalFrame[], salt: bigint, from: number): boolean {
  return frames.some(
    (frame, index) =>
      index >= from && frame.salt === salt && frame.commit > 0 && frame.chains && frames[index + 1]?.chains === true,
  )
}

/** The first frame, from this one on, that does not continue the one before. */
export function wholeUntil(frames: readonly WalFrame[], from: number): number {
  const bad = frames.findIndex((frame, index) => index >= from && !frame.chains)
  return bad < 0 ? frames.length : bad
}

export function lastCommit(frames: readonly WalFrame[], from: number, end: number): number {
  return frames.findLastIndex((frame, index) => index >= from && index < end && frame.commit > 0)
}

interface Header {
  readonly big: boolean
  readonly pageSize: number
  readonly salt: bigint
  readonly checksum: Checksum
}

function readHeader(bytes: Buffer): Header | undefined {
  const magic = bytes.readUInt32BE(0)
  const big = magic === MAGIC_BIG
  const checksum = storedAt(bytes, 24)
  if (!big && magic !== MAGIC_LITTLE) return undefined
  if (!same(checksumOf(bytes.subarray(0, 24), { a: 0, b: 0 }, big), checksum)) return undefined
  return { big, pageSize: bytes.readUInt32BE(8), salt: bytes.readBigUInt64BE(16), checksum }
}

/** Without a header nothing is known of the first frame; the others are checked all the same. */
function readFrames(
  read: ReadBytes,
  size: number,
  frameBytes: number,
  big: boolean,
  header: Header | undefined,
): WalFrame[] {
  const count = Math.floor((size - WAL_HEADER_BYTES) / frameBytes)
  const frames: WalFrame[] = []
  let before = header
  for (let first = 0; first < count; first += CHUNK_FRAMES) {
    const length = Math.min(CHUNK_FRAMES, count - first) * frameBytes
    const chunk = read(WAL_HEADER_BYTES + first * frameBytes, length)
    for (let at = 0; at + frameBytes <= chunk.length; at += frameBytes) {
      const salt = chunk.readBigUInt64BE(at + 8)
      const checksum = storedAt(chunk, at + 16)
      const chains = before?.salt === salt && same(frameChecksum(chunk, at, frameBytes, before.checksum, big), checksum)
      frames.push({ page: chunk.readUInt32BE(at), commit: chunk.readUInt32BE(at + 4), salt, chains })
      before = { big, pageSize: frameBytes - FRAME_HEADER_BYTES, salt, checksum }
    }
  }
  return frames
}

/** Over the page number, the size of the database and the page; the salt and the checksum itself are left out. */
export function frameChecksum(bytes: Buffer, at: number, frameBytes: number, before: Checksum, big: boolean): Checksum {
  const start = checksumOf(bytes.subarray(at, at + 8), before, big)
  return checksumOf(bytes.subarray(at + FRAME_HEADER_BYTES, at + frameBytes), start, big)
}

/** SQLite's checksum: Fibonacci-weighted sums over pairs of 32-bit words. */
export function checksumOf(bytes: Buffer, { a, b }: Checksum, big: boolean): Checksum {
  const words = wordsOf(bytes, big)
  for (let i = 0; i < words.length; i += 2) {
    a = (a + (words[i] as number) + b) | 0
    b = (b + (words[i + 1] as number) + a) | 0
  }
  return { a: a >>> 0, b: b >>> 0 }
}

const LITTLE_MACHINE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

function wordsOf(bytes: Buffer, big: boolean): Int32Array {
  if (bytes.byteOffset % 4 === 0 && big !== LITTLE_MACHINE)
    return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  const words = new Int32Array(bytes.length >> 2)
  for (let i = 0; i < words.length; i++) words[i] = big ? bytes.readInt32BE(i * 4) : bytes.readInt32LE(i * 4)
  return words
}

function storedAt(bytes: Buffer, at: number): Checksum {
  return { a: bytes.readUInt32BE(at), b: bytes.readUInt32BE(at + 4) }
}

function same(x: Checksum, y: Checksum): boolean {
  return x.a === y.a && x.b === y.b
}
