import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameDecoder, frameRecord } from './log-frames.ts'

function framed(stream: number, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(content.length, 4)
  return Buffer.concat([header, content])
}

describe('frames of a log', () => {
  it('come out as they went in, however the stream was cut', () => {
    const contents = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 50 })), { maxLength: 20 })
    fc.assert(
      fc.property(contents, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(([stream, content]) => framed(stream, content)))
        const decoder = new FrameDecoder()
        const decoded: Buffer[] = []
        for (let start = 0, turn = 0; start < bytes.length; turn++) {
          const end = start + (cuts[turn % cuts.length] ?? 1)
          decoded.push(...decoder.push(bytes.subarray(start, end)).map((frame) => Buffer.from(frame)))
          start = end
        }
        expect(decoded).toEqual(frames.map(([, content]) => Buffer.from(content)))
      }),
    )
  })

  it.each([
    ['text of a terminal', Buffer.from('plain text without frames')],
    ['a frame that no log has', Buffer.from([1, 0, 0, 0, 0xff, 0, 0, 0])],
  ])('are not %s', (_, bytes) => {
    expect(() => new FrameDecoder().push(bytes)).toThrow('the log is not in frames')
  })
})

describe('an entry of a log', () => {
  const at = Date.parse('2026-11-16T05:43:14.365Z')
  it.each([
    ['2026-11-16T05:43:14.365875053Z a line\n', { at, text: 'a line', partial: false }],
    ['2026-11-16T05:43:14.365875053Z  two  spaces \n', { at, text: ' two  spaces ', partial: false }],
    ['2026-11-16T05:43:14.365875053Z \n', { at, text: '', partial: false }],
    ['2026-11-16T05:43:14.365875053Z no end', { at, text: 'no end', partial: true }],
    ['no time\n', { at: 0, text: 'no time', partial: false }],
    ['word\n', { at: 0, text: 'word', partial: false }],
    ['', { at: 0, text: '', partial: true }],
  ])('%j is time, text, and whether it goes on', (frame, expected) => {
    const { text, ...others } = frameRecord(Buffer.from(frame))
    expect({ ...others, text: Buffer.from(text).toString() }).toEqual(expected)
  })
})
