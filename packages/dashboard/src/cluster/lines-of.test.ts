import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linesOf } from './lines-of.ts'

it('gives the lines, however they are cut into pieces', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '😀') })
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (whole, size) => {
      const bytes = Buffer.from(whole)
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      const lines: string[] = []
      for await (const line of linesOf(pieces())) lines.push(line)
      expect(lines).toEqual(whole.split('\n').filter((line) => line !== ''))
    }),
  )
})

it('a line without an end is given up', async () => {
  let given = 0
  async function* endless() {
    yield Buffer.from('a\n')
    for (;;) {
      given++
      yield Buffer.alloc(100, 'x')
    }
  }
  const lines: string[] = []
  const reading = async () => {
    for await (const line of linesOf(endless(), 1000)) lines.push(line)
  }
  await expect(reading()).rejects.toThrow('longer than 1000 bytes')
  expect([lines, given]).toEqual([['a'], 11])
})
