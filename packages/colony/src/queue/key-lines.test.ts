import { expect, it } from 'vitest'
import { newEntry } from './entry.ts'
import { KeyLines } from './key-lines.ts'
import { Lanes } from './lanes.ts'
import { queued } from './queued-process.fixture.ts'

it('keeps a key while there is a Process with it', () => {
  const lines = new KeyLines(new Lanes())
  const entries = ['a', 'b'].map((name) => newEntry(queued(name, { concurrencyKey: 'k' })))
  for (const entry of entries) lines.enter(entry)
  expect(lines.size).toBe(1)
  for (const entry of entries) lines.settle(lines.leave(entry))
  expect(lines.size).toBe(0)
})
