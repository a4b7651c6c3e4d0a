// An I/O error in a commit: whether the write happened is found out, and never guessed.

import { expect, test } from 'vitest'
import { call } from '../http-call.ts'
import { FaultyServer, Gate, namesOf } from './faulty-server.ts'

test.each([
  ['before', 500, []],
  ['after', 201, ['uncertain']],
] as const)('an error %s the data reached the disk is settled at once', async (when, code, names) => {
  const gate = new Gate()
  const server = await FaultyServer.start({
    fault: [{ connection: 'writer', call: 'commit', kind: 'ioerr', when, gate: gate.memory }],
  })
  const watch = await server.watch()
  gate.shut()
  expect((await server.create('uncertain')).code).toBe(code)
  gate.open()
  expect(await server.names()).toEqual(names)
  const made = await server.create('next')
  expect(made.code).toBe(201)
  await watch.reached(Number(made.body.metadata.resourceVersion))
  expect(namesOf(watch.events.map((event) => event.object))).toEqual([...names, 'next'])
  await server.until(/^ok$/)
  await expectSameAfterRestart(server, [...names, 'next'].sort())
})

test.each([
  ['before', []],
  ['after', ['uncertain']],
] as const)(
  'an error %s the data reached the disk, on a file that cannot be opened again, is settled later',
  async (when, names) => {
    const [commit, open] = [new Gate(), new Gate()]
    const server = await FaultyServer.start({
      fault: [
        { connection: 'writer', call: 'commit', kind: 'ioerr', when, gate: commit.memory },
        { connection: 'writer', call: 'open', kind: 'ioerr', times: 1e9, gate: open.memory },
      ],
    })
    await server.create('before')
    const watch = await server.watch()
    commit.shut()
    open.shut()
    const answer = await server.create('uncertain')
    expect(answer).toMatchObject({
      code: 504,
      body: { reason: 'Timeout', message: expect.stringMatching(/may or may not/) },
    })
    expect(await server.ready()).toMatch(/store failed: .*I\/O error/)
    expect((await server.get('before')).code).toBe(200)
    expect((await server.create('meanwhile')).code).toBe(500)
    commit.open()
    open.open()
    await server.until(/^ok$/)
    const made = await server.create('next')
    expect(made.code).toBe(201)
    await watch.reached(Number(made.body.metadata.resourceVersion))
    expect(namesOf(watch.events.map((event) => event.object))).toEqual([...names, 'next'])
    await expectSameAfterRestart(server, ['before', 'next', ...names])
  },
)

test('a deletion of unknown fate is neither lost nor done twice', async () => {
  const [commit, open] = [new Gate(), new Gate()]
  const server = await FaultyServer.start({
    fault: [
      { connection: 'writer', call: 'commit', kind: 'ioerr', when: 'after', gate: commit.memory },
      { connection: 'writer', call: 'open', kind: 'ioerr', times: 1e9, gate: open.memory },
    ],
  })
  await server.create('doomed')
  const watch = await server.watch()
  commit.shut()
  open.shut()
  expect((await server.delete('doomed')).code).toBe(504)
  commit.open()
  open.open()
  await server.until(/^ok$/)
  while ((await server.get('doomed')).code !== 404);
  const made = await server.create('doomed', { spec: { token: 'again' } })
  expect(made.code).toBe(201)
  await watch.reached(Number(made.body.metadata.resourceVersion))
  expect(watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
    'DELETED doomed',
    'ADDED doomed',
  ])
})

test('a log that cannot be read for a while holds up what is new, and nothing else', async () => {
  const [commit, open, read] = [new Gate(), new Gate(), new Gate()]
  const server = await FaultyServer.start({
    fault: [
      { connection: 'writer', call: 'commit', kind: 'ioerr', when: 'after', gate: commit.memory },
      { connection: 'writer', call: 'open', kind: 'ioerr', times: 1e9, gate: open.memory },
      { connection: 'reader', call: 'read', kind: 'ioerr', times: 1e9, gate: read.memory },
    ],
  })
  await server.create('before')
  const watch = await server.watch()
  for (const gate of [commit, open, read]) gate.shut()
  expect((await server.create('uncertain')).code).toBe(504)
  commit.open()
  open.open()
  // What happened to the write is known now, but has to be read from the log.
  expect(await server.until(/cache failed/)).toMatch(/cache failed: .*I\/O error/)
  expect((await call(`${server.url}/livez`)).code).toBe(200)
  expect((await server.get('before')).code).toBe(200)
  const waiting = server.create('next')
  read.open()
  const made = await waiting
  expect(made.code).toBe(201)
  await watch.reached(Number(made.body.metadata.resourceVersion))
  expect(namesOf(watch.events.map((event) => event.object))).toEqual(['uncertain', 'next'])
  await server.until(/^ok$/)
  await expectSameAfterRestart(server, ['before', 'next', 'uncertain'])
})

async function expectSameAfterRestart(server: FaultyServer, names: readonly string[]): Promise<void> {
  expect(await server.names()).toEqual(names)
  await server.close()
  const again = await FaultyServer.start({ directory: server.directory })
  expect(await again.names()).toEqual(names)
}
