// A backup taken under load is a picture of one moment, and a restore makes every client list anew.

import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { checkRun } from '../crash/checker.ts'
import { Ledger } from '../crash/ledger.ts'
import { randomFrom } from '../crash/random.ts'
import { storedLog, withStore } from '../crash/stored-log.ts'
import { Writer } from '../crash/writer.ts'
import { call, revisionOf } from '../http-call.ts'
import { startServer } from '../server-process.ts'
import { WatchReader } from '../watch-reader.ts'
import { widget, widgetPath } from '../widgets.ts'

const RAISE = 1_000_000_000
const args = ['--with', join(import.meta.dirname, '../crash/widget-add-on.ts'), '--log-level', 'error']

test('a backup under load is restored with all objects, and every client lists anew', async () => {
  const [directory, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = join(temporaryFolder(), 'backup')
  const server = await startServer(directory, args)
  const ledger = new Ledger()
  const load = new AbortController()
  const writing = [1, 2, 3, 4].map((number) =>
    new Writer(`w${number}`, randomFrom(number), ledger).run(server.url, load.signal),
  )
  await ledger.written(100)
  const known = ledger.seen
  expect(await homeostat('backup', file, '--data-dir', directory)).toMatchObject({ code: 0, stderr: '' })
  await ledger.written(20)
  load.abort()
  await Promise.all(writing)
  await server.stop()
  const again = await homeostat('backup', file, '--data-dir', directory)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })

  expect(await homeostat('restore', file, '--data-dir', elsewhere)).toMatchObject({ code: 0, stderr: '' })
  // Before a server is started on it, which has something to write of its own.
  const moment = (await withStore(elsewhere, (store) => store.revision())) - RAISE
  const restored = await startServer(elsewhere, args)
  const { body: list } = await call(restored.url + widgetPath())
  ledger.addList(list, ledger.seen)
  const raised = ledger.pictures.at(-1)
  expect(moment).toBeGreaterThanOrEqual(known)
  const log = await withStore(directory, (store) => storedLog(store, 0))
  const objects = (raised?.objects ?? []).map((object) => ({ ...object, revision: before(object.revision) }))
  const pictures = [{ revision: moment, seen: known, objects }]
  expect(checkRun({ log, writes: ledger.writes, streams: [], pictures, reads: ledger.reads })).toEqual([])
  expect(ledger.surprises).toEqual([])

  const old = new WatchReader({ path: widgetPath(), from: known })
  await old.follow(restored.url, new AbortController().signal)
  expect(JSON.parse(old.failures[0] ?? '{}')).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  const sse = await fetch(`${restored.url}/watch`, { headers: { 'last-event-id': String(known) } })
  expect(sse.status).toBe(410)
  const fresh = new WatchReader({ path: widgetPath(), from: revisionOf(list) })
  const watching = new AbortController()
  const following = fresh.follow(restored.url, watching.signal)
  const made = await call(restored.url + widgetPath('default'), 'POST', widget('afterwards', {}))
  await fresh.reached(revisionOf(made.body))
  expect(fresh.events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED afterwards'])
  watching.abort()
  await following
})

/** An object may keep the revision it had. */
function before(revision: number): number {
  return revision > RAISE ? revision - RAISE : revision
}

test('a restore refuses what is no backup and a directory that holds data', async () => {
  const directory = temporaryFolder()
  const server = await startServer(directory, args)
  await server.stop()
  const file = join(temporaryFolder(), 'backup')
  expect(await homeostat('backup', file, '--data-dir', directory)).toMatchObject({ code: 0 })
  const full = await homeostat('restore', file, '--data-dir', directory)
  expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/^homeostat: nothing was restored: .*\n$/) })
  const letter = await homeostat(
    'restore',
    join(import.meta.dirname, 'backup.test.ts'),
    '--data-dir',
    temporaryFolder(),
  )
  expect(letter).toMatchObject({ code: 1, stderr: expect.stringMatching(/^homeostat: nothing was restored: .*\n$/) })
})

const selfReview = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

async function newToken(url: string): Promise<string> {
  const { body } = await call(`${url}/api/v1/namespaces/default/serviceaccounts/default/token`, 'POST', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  })
  return String((body as unknown as { status: { token: string } }).status.token)
}

/** Who the server takes the bearer of the token for; undefined for nobody. */
async function bearer(url: string, token: string): Promise<string | undefined> {
  const response = await fetch(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(selfReview),
  })
  if (response.status === 401) return undefined
  const review = (await response.json()) as { status: { userInfo: { username: string } } }
  return review.status.userInfo.username
}

test('a token given out before a backup works after its restore', async () => {
  const [directory, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = join(temporaryFolder(), 'backup')
  const server = await startServer(directory, args)
  const token = await newToken(server.url)
  expect(await homeostat('backup', file, '--with-keys', '--data-dir', directory)).toMatchObject({ code: 0, stderr: '' })
  await server.stop()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o644)
  expect(await homeostat('restore', file, '--data-dir', elsewhere)).toMatchObject({ code: 0, stderr: '' })
  for (const path of ['homeostat.db', 'pki/ca.crt', 'pki/ca.key', 'pki/token.key'])
    expect([path, statSync(join(elsewhere, path)).mode & 0o777]).toEqual([path, 0o600])
  expect(statSync(join(elsewhere, 'pki')).mode & 0o777).toBe(0o700)
  // The keys are files again, and nowhere in the store.
  const key = readFileSync(join(elsewhere, 'pki/token.key')).subarray(40, 80)
  expect(readFileSync(file).includes(key)).toBe(true)
  expect(readFileSync(join(elsewhere, 'homeostat.db')).includes(key)).toBe(false)
  const restored = await startServer(elsewhere, args)
  expect(await bearer(restored.url, token)).toBe('system:serviceaccount:default:default')
})

test('keys that are in the directory of a restore are kept under another name', async () => {
  const [directory, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = join(temporaryFolder(), 'backup')
  for (const folder of [directory, elsewhere]) await (await startServer(folder, args)).stop()
  expect(await homeostat('backup', file, '--with-keys', '--data-dir', directory)).toMatchObject({ code: 0 })
  const other = readFileSync(join(elsewhere, 'pki/token.key'))
  rmSync(join(elsewhere, 'homeostat.db'))
  const { code, stdout } = await homeostat('restore', file, '--data-dir', elsewhere)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/other keys were in the directory; they are now in .*pki\.replaced-/),
  ])
  const aside = readdirSync(elsewhere).find((name) => name.startsWith('pki.replaced-')) ?? ''
  expect(readFileSync(join(elsewhere, aside, 'token.key'))).toEqual(other)
  expect(readFileSync(join(elsewhere, 'pki/token.key'))).toEqual(readFileSync(join(directory, 'pki/token.key')))
})

test('a backup is without keys unless they are asked for, and says so, as its restore does', async () => {
  const [directory, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = join(temporaryFolder(), 'backup')
  await (await startServer(directory, args)).stop()
  const { code, stdout } = await homeostat('backup', file, '--data-dir', directory)
  expect([code, stdout]).toEqual([0, expect.stringContaining('it is without the keys')])
  const key = readFileSync(join(directory, 'pki/token.key')).subarray(40, 80)
  expect(readFileSync(file).includes(key)).toBe(false)
  const restored = await homeostat('restore', file, '--data-dir', elsewhere)
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('the backup holds no keys')])
  expect(readdirSync(elsewhere)).not.toContain('pki')
})

test('a backup of an older version, without keys, is restored and says so', async () => {
  const [directory, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = join(temporaryFolder(), 'backup')
  await (await startServer(directory, args)).stop()
  const db = new DatabaseSync(join(directory, 'homeostat.db'))
  db.prepare('VACUUM INTO ?').run(file)
  db.close()
  const { code, stdout } = await homeostat('restore', file, '--data-dir', elsewhere)
  expect([code, stdout]).toEqual([0, expect.stringContaining('the backup holds no keys')])
  const restored = await startServer(elsewhere, args)
  expect(await call(`${restored.url}/readyz`)).toMatchObject({ code: 200 })
})
