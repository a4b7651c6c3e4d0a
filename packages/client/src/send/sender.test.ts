import { ManualClock } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { expect, test } from 'vitest'
import { scriptedTransport } from '../../test/scripted-transport.ts'
import type { Transport } from '../api/transport.ts'
import { type ClientOptions, createClient } from '../create-client.ts'

function setUp(transport: Transport, options: ClientOptions = {}) {
  const clock = new ManualClock()
  const client = createClient(transport, { clock, random: () => 0, ...options })
  /** Lets the work continue until a timer is pending. */
  const waits = async () => {
    while (clock.timers === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, client, waits }
}

const GET = { method: 'GET', path: '/version' }
const POST = { method: 'POST', path: '/api/v1/namespaces', body: '{}' }
const busy = { status: 429, headers: { 'retry-after': '2' }, body: 'busy' }
const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

test('a busy server is asked again when it said so, with the same body', async () => {
  const transport = scriptedTransport(busy, busy, { body: { fine: true } })
  const { client, clock, waits } = setUp(transport)
  const answer = client.requestJson(POST)
  await waits()
  clock.advance(1999)
  expect(transport.sent).toHaveLength(1)
  clock.advance(1)
  await waits()
  clock.advance(2000)
  expect(await answer).toEqual({ fine: true })
  expect(transport.sent.map(({ body }) => body)).toEqual(['{}', '{}', '{}'])
})

test('after ten tries the response is an error', async () => {
  const transport = scriptedTransport(busy)
  const { client, clock, waits } = setUp(transport)
  const answer = client.requestJson(GET).catch((error: unknown) => error)
  for (let i = 0; i < 9; i++) {
    await waits()
    clock.advance(2000)
  }
  expect(isStatusError(await answer, 'TooManyRequests')).toBe(true)
  expect(transport.sent).toHaveLength(10)
})

test('the bounds of retries are options', async () => {
  const transport = scriptedTransport(busy)
  const { client } = setUp(transport, { retry: { total: '1s' } })
  await expect(client.requestJson(GET)).rejects.toThrow('answered 429')
  expect(transport.sent).toHaveLength(1)
})

test('a caller with a backoff of its own hears of each failure', async () => {
  for (const failure of [busy, reset]) {
    const transport = scriptedTransport(failure)
    const { client } = setUp(transport)
    await expect(client.request(GET, { retry: false })).rejects.toThrow()
    expect(transport.sent).toHaveLength(1)
  }
})

test('an aborted caller does not wait', async () => {
  const { client, waits, clock } = setUp(scriptedTransport(busy))
  const abort = new AbortController()
  const answer = client.requestJson({ ...GET, signal: abort.signal }).catch((error: unknown) => error)
  await waits()
  abort.abort('enough')
  expect(await answer).toBe('enough')
  expect(clock.timers).toBe(0)
})

test('a closed client does not wait, and sends nothing more', async () => {
  const transport = scriptedTransport(busy)
  const { client, waits, clock } = setUp(transport)
  const answer = client.requestJson(GET).catch((error: unknown) => error)
  await waits()
  client.close()
  client.close()
  expect(await answer).toEqual(new Error('the client was closed'))
  expect([clock.timers, transport.closed]).toEqual([0, true])
  await expect(client.requestJson(GET)).rejects.toThrow('the client was closed')
  expect(transport.sent).toHaveLength(1)
})

test('a read is sent again after a broken connection, also when the response broke in the middle', async () => {
  const transport = scriptedTransport(reset, { body: ['{"fi', reset] }, { body: { fine: true } })
  const { client, clock, waits } = setUp(transport)
  const answer = client.requestJson(GET)
  await waits()
  clock.advance(50)
  await waits()
  clock.advance(200)
  expect(await answer).toEqual({ fine: true })
})

test('a write that lost its connection is not sent again, and the error says what that means', async () => {
  const transport = scriptedTransport(reset)
  const { client } = setUp(transport)
  const failing = client.requestJson(POST)
  await expect(failing).rejects.toThrow(
    'POST /api/v1/namespaces: no response: read ECONNRESET; whether it was carried out is unknown',
  )
  await expect(failing).rejects.toMatchObject({ cause: reset })
  expect(transport.sent).toHaveLength(1)
})

test('a server that cannot be reached has carried nothing out', async () => {
  const refused = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  })
  const { client } = setUp(scriptedTransport(refused))
  await expect(client.requestJson(POST)).rejects.toThrow('POST /api/v1/namespaces: the server was not reached')
})

test('warnings are heard with any response', async () => {
  const heard: string[] = []
  const headers = { warning: '299 - "old version"' }
  const { client } = setUp(scriptedTransport({ headers, status: 404 }, { headers }), {
    onWarning: (text) => heard.push(text),
  })
  await expect(client.requestJson(GET)).rejects.toThrow('404')
  await client.requestJson(GET)
  expect(heard).toEqual(['old version'])
})

test('a response that is not JSON is an error that shows it', async () => {
  const { client } = setUp(scriptedTransport({ body: '<html>log in</html>' }), { retry: { tries: 1 } })
  await expect(client.requestJson(GET)).rejects.toThrow('not JSON: log in')
})
