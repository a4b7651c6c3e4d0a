import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fromWire, toWire } from './index.ts'

const day = '2024-05-01T10:00:00.000Z'
const date = new Date(day)

describe('values between Zod and the wire', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ['a date', z.date(), day, date],
    ['a date that may be missing', z.date().nullish(), day, date],
    ['a large integer', z.bigint(), '9007199254740993', 9007199254740993n],
    ['a literal large integer', z.literal(5n), '5', 5n],
    ['a set', z.set(z.date()), [day], new Set([date])],
    ['a map', z.map(z.string(), z.date()), { a: day }, new Map([['a', date]])],
    ['an array', z.array(z.date()), [day, day], [date, date]],
    ['a tuple', z.tuple([z.string(), z.date()], z.bigint()), ['a', day, '1'], ['a', date, 1n]],
    ['an object', z.object({ a: z.date(), b: z.string() }), { a: day, b: day }, { a: date, b: day }],
    ['other fields', z.object({}).catchall(z.date()), { a: day }, { a: date }],
    ['a record', z.record(z.string(), z.date()), { a: day }, { a: date }],
    ['a union', z.union([z.object({ a: z.int() }), z.object({ b: z.date() })]), { b: day }, { b: date }],
    [
      'an intersection',
      z.intersection(z.object({ a: z.date() }), z.looseObject({ b: z.date() })),
      { a: day, b: day },
      { a: date, b: date },
    ],
    ['something lazy', z.lazy(() => z.date()), day, date],
    ['something readonly', z.date().readonly(), day, date],
    ['a default', z.date().default(new Date(0)), day, date],
    ['no foreign value at all', z.object({ a: z.string() }), { a: day }, { a: day }],
  ])('%s', (_, schema, wire, value) => {
    expect(fromWire(schema, wire)).toEqual(value)
    expect(toWire(schema, value)).toEqual(wire)
  })

  it('codecs run backwards on the way out', () => {
    const codec = z.codec(z.string(), z.number(), { decode: Number, encode: String })
    expect(toWire(z.object({ a: codec }), { a: 5 })).toEqual({ a: '5' })
    expect(() => toWire(z.string().transform(Number), 5)).toThrow(/transform/)
  })

  it('what does not fit stays as it is', () => {
    for (const value of ['tomorrow', '2024', 5, null, [day]]) expect(fromWire(z.date(), value)).toEqual(value)
    expect(fromWire(z.set(z.date()), { a: 1 })).toEqual({ a: 1 })
    expect(fromWire(z.union([z.date(), z.int()]), true)).toBe(true)
  })

  it('JSON has no NaN and no functions', () => {
    expect(() => toWire(z.any(), Number.NaN)).toThrow('JSON has no NaN')
    expect(() => toWire(z.any(), { a: () => 1 })).toThrow('JSON has no function')
  })

  it('a schema that contains itself is walked once', () => {
    interface Node {
      at?: Date | undefined
      next?: Node | undefined
    }
    const node: z.ZodType<Node> = z.object({ at: z.date().optional(), next: z.lazy(() => node).optional() })
    expect(fromWire(node, { next: { at: day } })).toEqual({ next: { at: date } })
  })
})
