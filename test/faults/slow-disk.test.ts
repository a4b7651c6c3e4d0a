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

test('writes beyond what may wait are told when to come back', async () => {
  const gate = new Gate()
  const server = await FaultyServer.start({
    maxPendingWrites: 8,
    fault: [{ connection: 'writer', call: 'commit', kind: 'hang', gate: gate.memory }],
  })
  gate.shut()
  const creating = Array.from({ length: 20 }, async (_, index) => {
    const answer = await server.create(`many-${index}`)
    // The ones that were turned away have been answered; those that wait are let go.
    if (answer.code === 429 && --turnedAway === 0) gate.open()
    return answer
  })
  let turnedAway = 12
  const answers = await Promise.all(creating)
  const refused = answers.filter(({ code }) => code === 429)
  // Eight wait in all, and writes of the server itself may be among them.
  expect(refused.length).toBeGreaterThanOrEqual(12)
  for (const { headers, body } of refused) {
    expect(headers.get('retry-after')).toBe('1')
    expect(body).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } })
  }
  const created = answers.filter(({ code }) => code === 201)
  expect(created).toHaveLength(20 - refused.length)
  expect(created.length).toBeGreaterThan(0)
  expect(await server.names()).toHaveLength(created.length)
})
