import { ManualClock } from '@homeostat/base'
import { expect, test } from 'vitest'
import { scriptedTransport } from '../../test/scripted-transport.ts'
import { createClient } from '../create-client.ts'
import type { RateLimit } from './rate-limiter.ts'

const GET = { method: 'GET', path: '/version' }

function limited(rateLimit: RateLimit, ...answers: Parameters<typeof scriptedTransport>) {
  const clock = new ManualClock()
  const transport = scriptedTransport(...(answers.length > 0 ? answers : [{}]))
  const client = createClient(transport, { clock, random: () => 0, rateLimit })
  /** Lets everything go on that does not wait for the clock. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const advance = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { client, clock, transport, settle, advance }
}

test('a burst goes at once, the rest at the rate, in the order of arrival', async () => {
  const waits: number[] = []
  const { client, transport, settle, advance } = limited({ perSecond: 2, burst: 3, onWait: (ms) => waits.push(ms) })
  const answers = [0, 1, 2, 3, 4, 5].map((n) => client.requestJson({ ...GET, path: `/${n}` }))
  await settle()
  expect(transport.sent.map(({ path }) => path)).toEqual(['/0', '/1', '/2'])
  await advance(499)
  expect(transport.sent).toHaveLength(3)
  await advance(1)
  expect(transport.sent.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3'])
  await advance(1000)
  await Promise.all(answers)
  expect(transport.sent.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3', '/4', '/5'])
  expect(waits).toEqual([0, 0, 0, 500, 1000, 1500])
})

test('a caller that gives up leaves the line, takes no token and leaves no timer', async () => {
  const { client, clock, transport, settle, advance } = limited({ perSecond: 1, burst: 1 })
  const abort = new AbortController()
  const first = client.requestJson(GET)
  const second = client.requestJson({ ...GET, signal: abort.signal }).catch((error: unknown) => error)
  const third = client.requestJson({ ...GET, path: '/third' })
  await settle()
  abort.abort('enough')
  expect(await second).toBe('enough')
  await advance(1000)
  await Promise.all([first, third])
  expect(transport.sent.map(({ path }) => path)).toEqual(['/version', '/third'])
  const last = client.requestJson(GET).catch((error: unknown) => error)
  await settle()
  client.close()
  expect(await last).toEqual(new Error('the client was closed'))
  expect(clock.timers).toBe(0)
})

test('a retry takes a token, too, and the time in line does not count against the retries', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' }, body: 'busy' }
  const { client, transport, settle, advance } = limited({ perSecond: 0.005, burst: 1 }, {}, busy, {})
  await client.requestJson(GET)
  const answer = client.requestJson(GET)
  await settle()
  expect(transport.sent).toHaveLength(1)
  await advance(200_000)
  expect(transport.sent).toHaveLength(2)
  await advance(200_000)
  await answer
  expect(transport.sent).toHaveLength(3)
})

test('a client over another transport has its part of the same limit', async () => {
  const { client, transport, settle, advance } = limited({ perSecond: 1, burst: 1 })
  const other = client.over(transport)
  const answers = [client.requestJson(GET), other.requestJson(GET)]
  await settle()
  expect(transport.sent).toHaveLength(1)
  await advance(1000)
  await Promise.all(answers)
})

test('an impossible limit is refused', () => {
  expect(() => limited({ perSecond: 0 })).toThrow('perSecond > 0')
  expect(() => limited({ perSecond: 5, burst: 0 })).toThrow('burst >= 1')
})
