// Reads protobuf from untrusted bytes: it checks every length against the bytes that are left, and throws a ProtobufError
// for anything malformed. It copies nothing but strings and bytes, and looks at each byte once.

import { ProtobufError } from './protobuf-error.ts'
import { DELIMITED, END_GROUP, FIXED32, FIXED64, START_GROUP, VARINT } from './wire-writer.ts'

export class WireReader {
  readonly #bytes: Buffer
  #at = 0
  /** Where the innermost open message ends. */
  #end: number
  #wire = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#end = bytes.length
  }

  get offset(): number {
    return this.#at
  }

  /** Whether the message has been read to its end. */
  get ended(): boolean {
    return this.#at >= this.#end
  }

  /** Whether the field read last is a string, bytes, a message or a packed list. */
  get delimited(): boolean {
    return this.#wire === DELIMITED
  }

  /** The number of the next field of the message; 0 at its end. */
  field(): number {
    if (this.#at >= this.#end) return 0
    const start = this.#at
    const tag = this.#tag()
    this.#wire = tag & 7
    const number = tag >>> 3
    if (number === 0) throw new ProtobufError('a field has no number', start)
    return number
  }

  /** Opens the message that the field is. The end of the one around it is given back, for `leave`. */
  enter(): number {
    const size = this.#size()
    const outer = this.#end
    this.#end = this.#at + size
    return outer
  }

  /** Ends the message, whose fields have all been read. */
  leave(outer: number): void {
    this.#end = outer
  }

  string(): string {
    const size = this.#size()
    const start = this.#at
    this.#at += size
    return this.#bytes.toString('utf8', start, this.#at)
  }

  /** A part of what is being read, not a copy. */
  bytes(): Buffer {
    const size = this.#size()
    const start = this.#at
    this.#at += size
    return this.#bytes.subarray(start, this.#at)
  }

  bool(): boolean {
    this.#expect(VARINT)
    return this.packedInteger() !== 0
  }

  /** Beyond 2^53 a bigint. */
  integer(): number | bigint {
    this.#expect(VARINT)
    return this.packedInteger()
  }

  int32(): number {
    this.#expect(VARINT)
    return this.packedInt32()
  }

  double(): number {
    this.#expect(FIXED64)
    return this.#bytes.readDoubleLE(this.#take(8))
  }

  packedInt32(): number {
    const value = this.packedInteger()
    return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value | 0
  }

  packedInteger(): number | bigint {
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte()
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) return low
    }
    let value = BigInt(low)
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return exact(BigInt.asIntN(64, value))
    }
    throw new ProtobufError('a number is longer than 64 bits', this.#at)
  }

  /** Skips an unknown field. Groups, a deprecated encoding, may be nested. */
  skip(): void {
    for (let depth = 0; ; this.#wire = this.#tag() & 7) {
      if (this.#wire === START_GROUP) depth++
      else if (this.#wire === END_GROUP) depth--
      else this.#skipOne()
      if (depth < 0) throw new ProtobufError('a group ends that never began', this.#at)
      if (depth === 0) return
    }
  }

  #skipOne(): void {
    if (this.#wire === DELIMITED) this.#take(this.#size())
    else if (this.#wire === FIXED64) this.#take(8)
    else if (this.#wire === FIXED32) this.#take(4)
    else if (this.#wire === VARINT) this.#skipVarint()
    else throw new ProtobufError(`a field has the unknown wire type ${this.#wire}`, this.#at)
  }

  #skipVarint(): void {
    for (let size = 0; size < 10; size++) if (this.#byte() < 0x80) return
    throw new ProtobufError('a number is longer than 64 bits', this.#at)
  }

  #tag(): number {
    const start = this.#at
    const tag = this.packedInteger()
    if (typeof tag === 'bigint' || tag < 0 || tag > 0xffffffff) throw new ProtobufError('a tag is too large', start)
    return tag
  }

  #size(): number {
    this.#expect(DELIMITED)
    const start = this.#at
    const size = this.packedInteger()
    if (typeof size === 'bigint' || size < 0 || size > this.#end - this.#at)
      throw new ProtobufError('a length goes beyond the message', start)
    return size
  }

  #take(size: number): number {
    const start = this.#at
    if (size > this.#end - start) throw new ProtobufError('the message ends inside a field', start)
    this.#at += size
    return start
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined
    if (byte === undefined) throw new ProtobufError('the message ends inside a number', this.#at)
    this.#at++
    return byte
  }

  #expect(wire: number): void {
    if (this.#wire !== wire) throw new ProtobufError(`a field has wire type ${this.#wire} instead of ${wire}`, this.#at)
  }
}

function exact(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
