// A disk that hangs: writes wait and are acknowledged when it goes on, reads do not wait, and too many writers are
// told to come back.

import { expect, test } from 'vitest'
import { FaultyServer, Gate } from './faulty-server.ts'

test('a commit that hangs for seconds makes writes wait, and nothing else', async () => {
  const gate = new Gate()
  const server = await FaultyServer.start({
    fault: [{ connection: 'writer', call: 'commit', kind: 'hang', gate: gate.memory }],
  })
  await server.create('before')
  const watch = await server.watch()
  gate.shut()
  const waiting = Promise.all([server.create('slow-1'), server.create('slow-2'), server.create('slow-3')])
  expect(await server.until(/store failed/)).toMatch(/a commit has been under way for \d+ seconds/)
  expect((await server.get('before')).code).toBe(200)
  expect(await server.names()).toEqual(['before'])
  expect(watch.events).toEqual([])
  gate.open()
  const answers = await waiting
  expect(answers.map(({ code }) => code)).toEqual([201, 201, 201])
  await watch.reached(Math.max(...answers.map(({ body }) => Number(body.metadata.resourceVersion))))
  expect(watch.events).toHaveLength(3)
  expect(await server.until(/^ok$/)).toBe('ok')
})

test('writes beyond what may wait get a Retry-After', async () => {
  const gate = new Gate()
  // Room for all that the server itself writes at its start.
  const [room, tooMany] = [200, 50]
  const server = await FaultyServer.start({
    maxPendingWrites: room,
    fault: [{ connection: 'writer', call: 'commit', kind: 'hang', gate: gate.memory }],
  })
  await server.settled()
  gate.shut()
  let toBeRefused = tooMany
  const creating = Array.from({ length: room + tooMany }, async (_, index) => {
    const answer = await server.create(`many-${index}`)
    // When all that are too many have been answered, those that wait are let go.
    if (answer.code === 429 && --toBeRefused === 0) gate.open()
    return answer
  })
  const answers = await Promise.all(creating)
  const refused = answers.filter(({ code }) => code === 429)
  expect(refused).toHaveLength(tooMany)
  for (const { headers, body } of refused) {
    expect(headers.get('retry-after')).toBe('1')
    expect(body).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } })
  }
  expect(answers.filter(({ code }) => code === 201)).toHaveLength(room)
  expect(await server.names()).toHaveLength(room)
})
