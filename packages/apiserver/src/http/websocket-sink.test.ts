import fc from 'fast-check'
import { expect, it } from 'vitest'
import { frameLines } from './websocket-sink.ts'

it('frames each line as one text message, whatever its length', () => {
  const length = fc.oneof(fc.nat(200), fc.integer({ min: 65_500, max: 65_600 }))
  fc.assert(
    fc.property(fc.array(length, { minLength: 1, maxLength: 5 }), (lengths) => {
      const lines = lengths.map((count) => `${'x'.repeat(count)}\n`)
      expect(unframe(frameLines(Buffer.from(lines.join(''))))).toEqual(lines)
    }),
  )
})

it('frames nothing as nothing', () => {
  expect(frameLines(Buffer.alloc(0))).toHaveLength(0)
})

function unframe(bytes: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81)
    const short = bytes[at + 1] ?? 0
    const [length, header] =
      short === 127
        ? [Number(bytes.readBigUInt64BE(at + 2)), 10]
        : short === 126
          ? [bytes.readUInt16BE(at + 2), 4]
          : [short, 2]
    // Only the shortest encoding of a length is allowed.
    expect(header).toBe(length < 126 ? 2 : length < 65_536 ? 4 : 10)
    messages.push(bytes.subarray(at + header, at + header + length).toString())
    at += header + length
  }
  return messages
}
