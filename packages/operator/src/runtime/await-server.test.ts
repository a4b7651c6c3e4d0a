import { ManualClock, silentLog } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { expect, test } from 'vitest'
import { awaitServer } from './await-server.ts'

test('one that is closed while it waits does not take that for a response of the server', async () => {
  const ending = new AbortController()
  const client = {
    transport: { server: 'http://no.such.host' },
    requestJson: ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  } as unknown as Client
  const wait = { client, clock: new ManualClock(0), random: () => 0, log: silentLog, signal: ending.signal }
  const waiting = awaitServer(wait)
  ending.abort(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
})
