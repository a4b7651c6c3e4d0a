// A server that is told to end while a write is on its way to the disk answers that write first.

import { expect, test } from 'vitest'
import { FaultyServer, Gate } from './faulty-server.ts'

test('a write under way at the end is answered, and it is there at the next start', async () => {
  const gate = new Gate()
  const server = await FaultyServer.start({
    fault: [{ connection: 'writer', call: 'commit', kind: 'hang', gate: gate.memory }],
  })
  gate.shut()
  const writing = server.create('last')
  while (server.store.stats().pendingWrites === 0) await new Promise(setImmediate)
  const closing = server.close()
  gate.open()
  expect((await writing).code).toBe(201)
  await closing
  const again = await FaultyServer.start({ directory: server.directory })
  expect(await again.names()).toEqual(['last'])
})
