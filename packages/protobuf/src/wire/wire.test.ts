import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtobufError } from './protobuf-error.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

const number = fc.integer({ min: 1, max: 2 ** 29 - 1 })
const value = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  fc.uint8Array(),
  fc.boolean(),
)
type Value = string | bigint | number | Uint8Array | boolean

function write(writer: WireWriter, field: number, content: Value): void {
  if (typeof content === 'string') writer.string(field, content)
  else if (typeof content === 'bigint') writer.integer(field, content)
  else if (typeof content === 'number') writer.double(field, content)
  else if (typeof content === 'boolean') writer.bool(field, content)
  else writer.bytes(field, content)
}

function read(reader: WireReader, like: Value): Value {
  if (typeof like === 'string') return reader.string()
  if (typeof like === 'bigint') return BigInt(reader.integer())
  if (typeof like === 'number') return reader.double()
  if (typeof like === 'boolean') return reader.bool()
  return new Uint8Array(reader.bytes())
}

describe('what was written', () => {
  it('is read again, field by field', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, value)), (fields) => {
        const writer = new WireWriter(1)
        for (const [field, content] of fields.toReversed()) write(writer, field, content)
        const reader = new WireReader(writer.finish())
        for (const [field, content] of fields) {
          expect(reader.field()).toBe(field)
          expect(read(reader, content)).toEqual(content)
        }
        expect(reader.field()).toBe(0)
      }),
    )
  })

  it('may be skipped, field by field', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, value)), (fields) => {
        const writer = new WireWriter(1)
        for (const [field, content] of fields) write(writer, field, content)
        const reader = new WireReader(writer.finish())
        let count = 0
        for (; reader.field() !== 0; count++) reader.skip()
        expect(count).toBe(fields.length)
      }),
    )
  })

  it('is a message within a message when it is closed', () => {
    const writer = new WireWriter(1)
    writer.string(9, 'after')
    const before = writer.length
    writer.bool(2, true)
    writer.string(1, 'inside')
    writer.close(3, before)
    const reader = new WireReader(writer.finish())
    expect(reader.field()).toBe(3)
    const outer = reader.enter()
    expect([reader.field(), reader.string(), reader.field(), reader.bool(), reader.field()]).toEqual([
      1,
      'inside',
      2,
      true,
      0,
    ])
    reader.leave(outer)
    expect([reader.field(), reader.string(), reader.field()]).toEqual([9, 'after', 0])
  })
})

describe('numbers', () => {
  it('have the bytes that protobuf gives them', () => {
    const bytes = (content: number | bigint) => {
      const writer = new WireWriter(1)
      writer.integer(1, content)
      return writer.finish().toString('hex')
    }
    expect(bytes(0)).toBe('0800')
    expect(bytes(300)).toBe('08ac02')
    expect(bytes(-1)).toBe('08ffffffffffffffffff01')
    expect(bytes(2 ** 53)).toBe('08808080808080 8010'.replace(' ', ''))
    expect(bytes(2n ** 63n - 1n)).toBe('08ffffffffffffffff7f')
  })

  it('of 32 bits are cut to them, also when somebody sent more', () => {
    const reader = (hex: string) => {
      const found = new WireReader(Buffer.from(hex, 'hex'))
      found.field()
      return found
    }
    expect(reader('08ffffffffffffffffff01').int32()).toBe(-1)
    expect(reader('0880808080f0ffffffff01').int32()).toBe(0)
    expect(reader('08ffffffff07').int32()).toBe(2147483647)
    expect(reader('08ffffffff0f').int32()).toBe(-1)
  })
})

describe('bytes that make no sense', () => {
  const open = (hex: string) => {
    const reader = new WireReader(Buffer.from(hex, 'hex'))
    reader.field()
    return reader
  }

  it.each([
    ['a string that is longer than the message', () => open('0a05616263').string()],
    ['a length beyond all numbers', () => open('0affffffffffffffffff01').string()],
    ['a number without an end', () => open('08ffff').integer()],
    ['a number of more than 64 bits', () => open('08ffffffffffffffffffff01').integer()],
    ['the same, skipped', () => open('08ffffffffffffffffffff01').skip()],
    ['a field without a number', () => open('00')],
    ['a tag that is too large', () => open('ffffffffffff7f00')],
    ['an unknown wire type', () => open('0e').skip()],
    ['a group that never began', () => open('0c').skip()],
    ['a group without an end', () => open('0b0800').skip()],
    ['a number where a string should be', () => open('0801').string()],
    ['half a double', () => open('0901020304').double()],
    ['half of what is skipped', () => open('0d0102').skip()],
  ])('are an error: %s', (_, act) => {
    expect(act).toThrow(ProtobufError)
  })

  it('in a group are skipped with it', () => {
    const reader = open('0b130a0161140c2801')
    reader.skip()
    expect([reader.field(), reader.integer()]).toEqual([5, 1])
  })
})
