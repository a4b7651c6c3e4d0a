import { expect, test } from 'vitest'
import { jsonLines } from './json-lines.ts'

async function read(...chunks: readonly string[]): Promise<unknown[]> {
  async function* stream(): AsyncIterable<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  return Array.fromAsync(jsonLines(stream()))
}

test('values come out whole however the stream was cut, the last one without an end, too', async () => {
  expect(await read('{"a":1}\r\n{"b"', ':', '2}\n\n', '{"c":3}')).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }])
  expect(await read()).toEqual([])
})

test('a line without an end is not kept for ever', async () => {
  await expect(read('x'.repeat(700_000), 'x'.repeat(700_000))).rejects.toThrow('longer than 1048576 bytes')
})
