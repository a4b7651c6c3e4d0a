// Writes protobuf from its end to its start: the length of a message stands before it, and is known once it is
// written. Callers write the fields in descending order, and the last item of a list first.

export const VARINT = 0
export const FIXED64 = 1
export const DELIMITED = 2
export const START_GROUP = 3
export const END_GROUP = 4
export const FIXED32 = 5

export class WireWriter {
  #bytes: Buffer
  #at: number

  constructor(size = 1024) {
    this.#bytes = Buffer.allocUnsafe(size)
    this.#at = size
  }

  /** All that was written; the writer must not be used after it. */
  finish(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  /** What has been written so far, in bytes. */
  get length(): number {
    return this.#bytes.length - this.#at
  }

  /** Turns all that was written since `length` was `before` into one field. */
  close(field: number, before: number): void {
    this.#varint(this.length - before)
    this.#varint(field * 8 + DELIMITED)
  }

  string(field: number, text: string): void {
    const size = Buffer.byteLength(text)
    this.#room(size)
    this.#at -= size
    this.#bytes.write(text, this.#at, size, 'utf8')
    this.#varint(size)
    this.#varint(field * 8 + DELIMITED)
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.raw(bytes)
    this.#varint(bytes.length)
    this.#varint(field * 8 + DELIMITED)
  }

  /** Bytes as they are, without tag and length. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#at -= bytes.length
    this.#bytes.set(bytes, this.#at)
  }

  bool(field: number, value: boolean): void {
    this.#varint(value ? 1 : 0)
    this.#varint(field * 8 + VARINT)
  }

  /** A whole number within int64; what is not whole is cut off. */
  integer(field: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.#bigVarint(value)
    else if (value >= 0 && value <= MAX_WORD) this.#varint(Math.trunc(value))
    else this.#bigVarint(BigInt(Number.isFinite(value) ? Math.trunc(value) : 0))
    this.#varint(field * 8 + VARINT)
  }

  double(field: number, value: number): void {
    this.#room(8)
    this.#at -= 8
    this.#bytes.writeDoubleLE(value, this.#at)
    this.#varint(field * 8 + FIXED64)
  }

  #varint(value: number): void {
    this.#room(MAX_VARINT)
    let size = 1
    for (let rest = value; rest > 0x7f; rest >>>= 7) size++
    this.#at -= size
    let at = this.#at
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[at++] = (rest & 0x7f) | 0x80
    this.#bytes[at] = rest
  }

  /** A negative number takes all ten bytes, as the number it is in 64 bits. */
  #bigVarint(value: bigint): void {
    this.#room(MAX_VARINT)
    const digits: number[] = []
    let rest = BigInt.asUintN(64, value)
    for (; rest > 0x7fn; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80)
    digits.push(Number(rest))
    this.#at -= digits.length
    this.#bytes.set(digits, this.#at)
  }

  #room(size: number): void {
    if (this.#at >= size) return
    const used = this.length
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, used + size))
    this.#bytes.copy(grown, grown.length - used, this.#at)
    this.#at = grown.length - used
    this.#bytes = grown
  }
}

const MAX_VARINT = 10
/** Up to here the bit operators of numbers do. */
const MAX_WORD = 0x7fffffff
