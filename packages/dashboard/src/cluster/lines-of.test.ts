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
