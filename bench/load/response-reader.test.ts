import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ResponseReader } from './response-reader.ts'

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n',
  'HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n',
].join('')

test('answers are read the same wherever the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (cuts) => {
      expect(read(answers, cuts)).toEqual([
        { status: 200, body: 'hello' },
        { status: 201, body: 'abc0123456789abcdef' },
        { status: 409, body: '' },
      ])
    }),
  )
})

function read(text: string, cuts: number[]): { status: number; body: string }[] {
  const seen: { status: number; body: string }[] = []
  let open = { status: 0, body: '' }
  const reader = new ResponseReader({
    head: (status) => {
      open = { status, body: '' }
    },
    body: (buffer, start, end) => {
      open.body += buffer.toString('latin1', start, end)
    },
    end: () => seen.push(open),
  })
  for (let at = 0, i = 0; at < text.length; i++) {
    const piece = Buffer.from(text.slice(at, at + (cuts[i % cuts.length] ?? 1)))
    reader.feed(piece, piece.length)
    at += piece.length
  }
  return seen
}
