import { expect, it } from 'vitest'
import { newEntry } from './entry.ts'
import { KeyQueues } from './key-queues.ts'
import { queued } from './queued-process.fixture.ts'
import { TypeQueues } from './type-queues.ts'

it('keeps a key while there is a Process with it', () => {
  const keyQueues = new KeyQueues(new TypeQueues())
  const entries = ['a', 'b'].map((name) => newEntry(queued(name, { concurrencyKey: 'k' })))
  for (const entry of entries) keyQueues.enter(entry)
  expect(keyQueues.size).toBe(1)
  for (const entry of entries) keyQueues.settle(keyQueues.leave(entry))
  expect(keyQueues.size).toBe(0)
})
