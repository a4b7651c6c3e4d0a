import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.ts'

function split(bytes: Uint8Array, cuts: readonly number[], max = 1_000_000): string[] {
  const splitter = new LineSplitter(max)
  const lines: string[] = []
  let from = 0
  for (const cut of [...cuts, bytes.length].toSorted((a, b) => a - b)) {
    lines.push(...splitter.push(bytes.subarray(from, cut)))
    from = cut
  }
  return [...lines, splitter.end()]
}

test('lines end at \\n alone, wherever the stream is cut', () => {
  const character = fc.oneof(
    fc.constantFrom('\u2028', '\u2029', '\u0085', '\r', '\v', '\f', '\u{1f40b}', '\ufeff', 'é', '"', '\\'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((text) => text.replace('\n', ' ')),
  )
  const line = fc.array(character, { maxLength: 20 }).map((parts) => parts.join('').toWellFormed())
  const property = fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 12 }), (lines, at) => {
    const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(''))
    const cuts = at.map((value) => value % (bytes.length + 1))
    expect(split(bytes, cuts)).toEqual([...lines, ''])
  })
  fc.assert(property)
})

test('a line may come byte by byte', () => {
  const bytes = new TextEncoder().encode('{"a":"\u2028€"}\n{}')
  expect(split(bytes, [...bytes.keys()])).toEqual(['{"a":"\u2028€"}', '{}'])
})

test('a line beyond the limit is an error, also before its end has come', () => {
  const bytes = new TextEncoder().encode('123456')
  expect(() => split(bytes, [], 5)).toThrow('longer than 5 bytes')
  expect(() => split(bytes, [1, 2, 3, 4, 5], 5)).toThrow('longer than 5 bytes')
  expect(split(new TextEncoder().encode('12345\n12345\n'), [3, 8], 5)).toEqual(['12345', '12345', ''])
})
