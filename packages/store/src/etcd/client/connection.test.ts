import { once } from 'node:events'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from './connection.ts'
import { newCounters } from './counters.ts'

test('a member that is reached after its time was over disturbs nobody', async () => {
  const member = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void member.close())
  await once(member, 'listening')
  const endpoint = `http://127.0.0.1:${(member.address() as AddressInfo).port}`
  const options = { endpoint, tls: undefined, dialTimeoutMs: 60_000, maxResponseBytes: 1, counters: newCounters() }
  const escaped: unknown[] = []
  const catchIt = (error: unknown) => void escaped.push(error)
  process.on('uncaughtException', catchIt)
  onTestFinished(() => void process.off('uncaughtException', catchIt))
  for (let i = 0; i < 20; i++) {
    const close = new AbortController()
    const reached = once(member, 'connection')
    const dialling = Connection.dial(options, close.signal)
    close.abort()
    await expect(dialling).rejects.toMatchObject({ kind: 'aborted' })
    await reached
    await turn()
  }
  expect(escaped).toEqual([])
})
