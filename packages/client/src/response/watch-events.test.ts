import { isStatusError } from '@homeostat/meta'
import { expect, test } from 'vitest'
import { responseOf } from '../../test/scripted-transport.ts'
import { watchEvents } from './watch-events.ts'

async function read(chunks: unknown[]): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of watchEvents(responseOf({ body: chunks }))) events.push(event)
  return events
}

const event = (name: string) => ({ type: 'ADDED', object: { metadata: { name } } })

test('many events may come in one chunk, and one event in many', async () => {
  const [a, b, c] = ['a', 'b\u2028b', 'c'].map((name) => JSON.stringify(event(name))) as [string, string, string]
  expect(await read([`${a}\n${b}\n${c.slice(0, 10)}`, c.slice(10, 12), `${c.slice(12)}\n`])).toEqual([
    event('a'),
    event('b\u2028b'),
    event('c'),
  ])
})

test('a last event counts without its newline, and half an event is an error', async () => {
  expect(await read([JSON.stringify(event('a'))])).toEqual([event('a')])
  await expect(read(['{"type":"ADDED","obj'])).rejects.toThrow('broke in the middle')
})

test('an ERROR event is thrown as the StatusError it holds', async () => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 }
  const failing = read([`${JSON.stringify({ type: 'ERROR', object: status })}\n`])
  await expect(failing).rejects.toSatisfy((error) => isStatusError(error, 'Expired') && error.code === 410)
  await expect(read(['{"type":"ERROR","object":"odd"}\n'])).rejects.toSatisfy((error) =>
    isStatusError(error, 'InternalError'),
  )
})

test('an event of a wrong size ends the watch with an error', async () => {
  const reading = watchEvents(responseOf({ body: ['x'.repeat(200)] }), 100).next()
  await expect(reading).rejects.toThrow('longer than 100 bytes')
})
