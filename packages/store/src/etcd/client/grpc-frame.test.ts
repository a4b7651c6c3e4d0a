import { WireWriter } from '@homeostat/protobuf/wire'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FrameReader, framed } from './grpc-frame.ts'

const frame = (content: Uint8Array) => {
  const writer = new WireWriter(1)
  writer.raw(content)
  return framed(writer)
}

it('messages are found in whatever pieces they come', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 })
  fc.assert(
    fc.property(contents, fc.array(fc.nat(30)), (messages, cuts) => {
      const all = Buffer.concat(messages.map(frame))
      const reader = new FrameReader(100)
      const found: string[] = []
      let at = 0
      for (const cut of [...cuts, all.length]) {
        reader.take(all.subarray(at, at + cut), (bytes) => found.push(bytes.toString('hex')))
        at += cut
      }
      expect(found).toEqual(messages.map((message) => Buffer.from(message).toString('hex')))
      expect(reader.unfinished).toBe(false)
    }),
  )
})

it('a message that is too large is refused by its length, before it has come', () => {
  const take = () => new FrameReader(8).take(Buffer.from([0, 0, 0, 0, 9]), () => {})
  expect(take).toThrow(expect.objectContaining({ kind: 'answer-too-large' }))
})
