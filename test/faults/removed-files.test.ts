// Files of the data directory that are removed, replaced or cut under a running server: a write that could not be found
// again is never acknowledged, reads go on, and /readyz says what to do.

import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { type Answer, call } from '../http-call.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { widget, widgetPath } from '../widgets.ts'

const args = ['--with', join(import.meta.dirname, '../crash/widget-add-on.ts'), '--log-level', 'silent']

async function startedServer(directory: string): Promise<ServerProcess> {
  const server = await startServer(directory, args)
  expect(await create(server, 'before')).toMatchObject({ code: 201 })
  return server
}

function create({ url }: ServerProcess, name: string): Promise<Answer> {
  return call(url + widgetPath('default'), 'POST', widget(name, {}))
}

async function names({ url }: ServerProcess): Promise<string[]> {
  const { body } = await call(url + widgetPath('default'))
  return (body.items ?? []).map((item) => item.metadata.name ?? '')
}

/** Waits until /readyz answers so. A write of the server's own may be the one that finds out. */
async function ready({ url }: ServerProcess, expected: RegExp): Promise<void> {
  await until(async () => expect((await call(`${url}/readyz`)).text).toMatch(expected))
}

async function expectRefusal(server: ServerProcess, reason: RegExp): Promise<void> {
  const first = await create(server, 'first')
  expect([500, 504]).toContain(first.code)
  expect(first.body).toMatchObject({ kind: 'Status', message: expect.stringMatching(reason) })
  const next = await create(server, 'next')
  expect(next).toMatchObject({ code: 500, body: { reason: 'InternalError' } })
  expect(next.body).toMatchObject({ message: expect.stringMatching(/nothing was changed/) })
  await ready(server, reason)
  expect((await call(`${server.url}/readyz?verbose`)).text).toMatch(/\[-\]store failed: /)
  expect(await names(server)).toEqual(['before'])
}

test.each<[string, (directory: string) => void, RegExp]>([
  ['the directory', (directory) => rmSync(directory, { recursive: true }), /homeostat\.db was removed/],
  ['the data file', (directory) => rmSync(join(directory, 'homeostat.db')), /homeostat\.db was removed.*put that very/],
  ['the WAL', (directory) => rmSync(join(directory, 'homeostat.db-wal')), /homeostat\.db-wal was removed/],
  ['the index of the WAL', (directory) => rmSync(join(directory, 'homeostat.db-shm')), /db-shm was removed.*start it/],
  ['the lock', (directory) => rmSync(join(directory, 'lock.db')), /lock\.db was removed.*start it again/],
])('a server whose files are removed (%s) refuses writes and goes on reading', async (_, remove, reason) => {
  const directory = join(temporaryFolder(), 'data')
  const server = await startedServer(directory)
  remove(directory)
  await expectRefusal(server, reason)
})

test('a data file with another in its place is not written to, and neither is the other', async () => {
  const directory = temporaryFolder()
  const server = await startedServer(directory)
  const data = join(directory, 'homeostat.db')
  copyFileSync(data, `${data}.copy`)
  renameSync(`${data}.copy`, data)
  await expectRefusal(server, /homeostat\.db was replaced/)
})

test('a WAL or a data file that is cut is noticed', async () => {
  for (const name of ['homeostat.db-wal', 'homeostat.db']) {
    const directory = temporaryFolder()
    const server = await startedServer(directory)
    truncateSync(join(directory, name))
    await expectRefusal(server, new RegExp(`${name} was cut`))
    await server.stop('SIGKILL')
  }
})

test.each(['the directory', 'the data file', 'the WAL'])('%s moved away and back loses nothing', async (what) => {
  const directory = join(temporaryFolder(), 'data')
  const server = await startedServer(directory)
  const suffix = { 'the directory': '', 'the data file': '/homeostat.db', 'the WAL': '/homeostat.db-wal' }[what] ?? ''
  renameSync(directory + suffix, `${directory}.away`)
  await expectRefusal(server, /was removed/)
  renameSync(`${directory}.away`, directory + suffix)
  await ready(server, /^ok$/)
  expect(await create(server, 'after')).toMatchObject({ code: 201 })
  // The write that found out may have been stored; all later ones were not.
  const there = await names(server)
  expect(there.filter((name) => name !== 'first')).toEqual(['after', 'before'])
  await server.stop('SIGKILL')
  const again = await startServer(directory, args)
  expect(await names(again)).toEqual(there)
})

test('a second server after the lock was removed is the only one that writes', async () => {
  const directory = temporaryFolder()
  const first = await startedServer(directory)
  rmSync(join(directory, 'lock.db'))
  const second = await startServer(directory, args)
  const made = Array.from({ length: 40 }, async (_, index) => {
    const [old, now] = await Promise.all([create(first, `old-${index}`), create(second, `new-${index}`)])
    return { old: old.code, now: now.code }
  })
  for (const { old, now } of await Promise.all(made)) expect({ old, now }).toEqual({ old: 500, now: 201 })
  await ready(first, /lock\.db was replaced/)
  await ready(second, /^ok$/)
  // The end of the one that lost the directory leaves the files of the other alone.
  await first.stop()
  expect(await create(second, 'after')).toMatchObject({ code: 201 })
  await second.stop('SIGKILL')
  const third = await startServer(directory, args)
  expect(await names(third)).toHaveLength(42)
})
