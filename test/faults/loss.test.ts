// Acknowledged writes that are gone from the disk: the server does not start as if nothing had been, names what is
// missing, and when it is told to go on without it, no revision is used twice and only who knew of the lost ones lists anew.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { call, revisionOf } from '../http-call.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { WatchReader } from '../watch-reader.ts'

const OBJECTS = 480
const path = '/api/v1/namespaces/default/configmaps'
const args = ['--log-level', 'warn']

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } })

async function create(server: ServerProcess, name: string): Promise<number> {
  const { code, body } = await call(server.url + path, 'POST', configMap(name))
  expect(code).toBe(201)
  return revisionOf(body)
}

/** The revisions of all that was acknowledged before the server was killed. */
async function killedServer(directory: string): Promise<number[]> {
  const server = await startServer(directory, args)
  const revisions: number[] = []
  for (let i = 0; i < OBJECTS; i += 8)
    revisions.push(...(await Promise.all(Array.from({ length: 8 }, (_, j) => create(server, `c${i + j}`)))))
  await server.stop('SIGKILL')
  return revisions.sort((a, b) => a - b)
}

/** Changes one bit at a quarter of the WAL. */
function damageWal(directory: string): void {
  const file = join(directory, 'homeostat.db-wal')
  const bytes = readFileSync(file)
  const at = bytes.length >> 2
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
}

test('a bit that changed in the WAL is noticed, and what came after it can be left behind', async () => {
  const directory = temporaryFolder()
  const revisions = await killedServer(directory)
  const newest = revisions.at(-1) ?? 0
  damageWal(directory)

  // Twice: a refusal leaves everything as it was.
  for (let start = 0; start < 2; start++) {
    const refused = await homeostat('up', '--port', '0', '--data-dir', directory)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      /^homeostat: .*homeostat\.db is damaged: everything from revision \d+ on.*salvage.*\n$/,
    )
    expect(refused.stderr).toContain(`up to ${newest},`)
  }

  const server = await startServer(directory, [...args, '--on-loss', 'continue'])
  expect(server.output().stderr).toContain('went on without it at revision')
  const { body: list } = await call(server.url + path)
  const kept = revisions.filter((revision) => (list.items ?? []).some((item) => revisionOf(item) === revision))
  expect(kept.length).toBeLessThan(OBJECTS / 2)
  const lastKept = kept.at(-1) ?? 0

  const inside = new WatchReader({ path, from: newest })
  await inside.follow(server.url, new AbortController().signal)
  expect(JSON.parse(inside.failures[0] ?? '{}')).toMatchObject({
    type: 'ERROR',
    object: { code: 410, reason: 'Expired' },
  })
  const events = await fetch(`${server.url}/watch`, { headers: { 'last-event-id': String(newest) } })
  expect(events.status).toBe(410)
  const exact = await call(`${server.url}${path}?resourceVersion=${newest}&resourceVersionMatch=Exact`)
  expect(exact.code).toBe(410)
  expect((await call(`${server.url}/events`)).code).toBe(200)

  const below = new WatchReader({ path, from: lastKept })
  const watching = new AbortController()
  const following = below.follow(server.url, watching.signal)
  const made = await create(server, 'afterwards')
  expect(made).toBeGreaterThan(newest)
  await below.reached(made)
  watching.abort()
  await following
  expect(below.events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED afterwards'])
  await server.stop('SIGKILL')

  // An ordinary crash later: nothing is missing, and the counter does not jump.
  const again = await startServer(directory, args)
  expect(again.output().stderr).toBe('')
  expect((await create(again, 'later')) - made).toBeLessThan(100)
  await again.stop()
})

test('a salvage brings back what came after the damage, and the server starts on it', async () => {
  const directory = temporaryFolder()
  const revisions = await killedServer(directory)
  damageWal(directory)
  const salvaged = await homeostat('salvage', '--data-dir', directory)
  expect(salvaged).toMatchObject({ code: 0, stderr: '' })
  const lost = salvaged.stdout.match(/^lost: .* as of revision \d+$/gm) ?? []
  expect(lost.length).toBeLessThan(20)
  const server = await startServer(directory, args)
  const { body: list } = await call(`${server.url}${path}`)
  const names = new Set((list.items ?? []).map(({ metadata }) => metadata.name))
  for (let i = 0; i < OBJECTS; i++)
    expect(names.has(`c${i}`) || lost.some((line) => line.includes(`/c${i} `)), `c${i}`).toBe(true)
  expect(await create(server, 'afterwards')).toBeGreaterThan(revisions.at(-1) ?? 0)
  const busy = await homeostat('salvage', '--data-dir', directory)
  expect(busy).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^homeostat: nothing was changed: .*in use.*\n$/),
  })
  await server.stop()
})
