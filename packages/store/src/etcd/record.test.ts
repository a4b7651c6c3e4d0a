import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOf, decodeRecord, encodeRecord, isWrittenAs, type NewRecord, overhead } from './record.ts'

const encode = (record: NewRecord) => Buffer.concat(encodeRecord(record))
const uint32 = fc.nat(0xffffffff)
const name = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
const records: fc.Arbitrary<NewRecord> = fc.record({
  id: fc.record({ store: fc.record({ high: uint32, low: uint32 }), count: uint32 }),
  previous: fc.nat(Number.MAX_SAFE_INTEGER),
  note: fc.record({ time: fc.nat(Number.MAX_SAFE_INTEGER), user: name, manager: name }),
  value: fc.option(fc.record({ bytes: fc.uint8Array(), gap: uint32, metaEnd: uint32 }), { nil: undefined }),
})

describe('a record', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(records, fc.boolean(), (record, minor) => {
        const note = minor ? { ...record.note, minor } : record.note
        const bytes = encode({ ...record, note })
        const { value, ...decoded } = decodeRecord(bytes)
        const isDeletion = record.value === undefined
        expect(decoded).toEqual({ previous: record.previous, note, isDeletion, damage: undefined })
        expect(value && { ...value, bytes: Uint8Array.from(value.bytes) }).toEqual(record.value)
        expect(bytes.length).toBe(overhead(note) + (record.value?.bytes.length ?? 0))
        expect(isWrittenAs(bytes, record.id)).toBe(true)
      }),
    )
  })

  it('is damaged after any change of a byte', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (record, at, change) => {
        const bytes = encode(record)
        const index = at % bytes.length
        bytes[index] = (bytes[index] ?? 0) ^ change
        expect(decodeRecord(bytes).damage).toBeTypeOf('string')
      }),
    )
  })

  it('is damaged, and nobody wrote it, when it is no record at all', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeRecord(Buffer.from(bytes))).toMatchObject({ damage: expect.any(String), value: undefined })
      }),
    )
    expect(countOf(Buffer.from('x'), { high: 0, low: 0 })).toBeUndefined()
  })
})
