import { expect, test } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { readDocuments, readValues } from './documents.ts'

const reading = (text: string) => fakeTerminal({ input: async () => text })

test('a mistake is reported by its place, and the text is not repeated', async () => {
  const text = 'kind: Secret\nstringData: {p: "hunter2"} hunter2\n'
  const error = await readDocuments('-', 'crd create', reading(text)).catch((error: Error) => error)
  expect(String(error)).toMatch(/standard input is neither JSON nor YAML: .* at line 2, column \d+$/)
  expect(String(error)).not.toContain('hunter2')
})

test.each(['{"n": 9223372036854775807, "m": 3}', 'n: 9223372036854775807\nm: 3\n'])(
  'integers keep their digits: %s',
  async (text) => {
    expect(await readValues('-', reading(text))).toEqual([{ n: 9223372036854775807n, m: 3 }])
  },
)
