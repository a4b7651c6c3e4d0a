// Writes DER (X.690), as much of it as certificates need. Nothing here reads DER: node:crypto does.

export const BOOLEAN = 0x01
export const BITS = 0x03
const UTF8 = 0x0c
const INTEGER = 0x02
const OCTETS = 0x04
const IDENTIFIER = 0x06
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31

export const sequence = (...parts: Buffer[]) => tagged(SEQUENCE, Buffer.concat(parts))
export const set = (part: Buffer) => tagged(SET, part)
export const integer = (bytes: Buffer) => tagged(INTEGER, bytes)
export const identifier = (hex: string) => tagged(IDENTIFIER, Buffer.from(hex, 'hex'))
export const octets = (bytes: Buffer) => tagged(OCTETS, bytes)
export const bits = (bytes: Buffer) => tagged(BITS, Buffer.concat([Buffer.of(0), bytes]))
export const utf8 = (text: string) => tagged(UTF8, Buffer.from(text))

/** Encodes a DER length: below 128 in one byte, otherwise a byte with the count of length bytes and then those. */
export function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  if (size > 0xffff) throw new RangeError(`a part of a certificate has ${size} bytes; at most 65535 are possible`)
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

/** RFC 5280 wants two digits of the year until 2049 and four digits from 2050 on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '')
  return date.getUTCFullYear() < 2050
    ? tagged(UTC_TIME, Buffer.from(digits.slice(2)))
    : tagged(GENERALIZED_TIME, Buffer.from(digits))
}
