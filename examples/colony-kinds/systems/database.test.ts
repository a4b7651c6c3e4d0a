// Databases on a real PostgreSQL: of their own, killed, deleted while everything is down, and over a PostgresDatabase.

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openProcessRuntime } from '@homeostat/runtimes'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { publicFolder } from '../public-folder.fixture.ts'
import type { Observed } from '../resource.ts'
import { stage } from '../stage.fixture.ts'
import { needPostgres } from './need-postgres.fixture.ts'

const installed = needPostgres()
const API = 'storage.colonies.io/v1'

async function lab() {
  const directory = publicFolder()
  const kinds = await stage(undefined, directory, {
    databases: { directory: join(directory, 'databases'), runtime: 'local' },
  })
  const units = await openUnits(directory)
  const status = async () => ((await kinds.find(API, 'Database', 'users'))?.status ?? {}) as Record<string, unknown>
  const databases = kinds.client.resourceOf<Observed>(API, 'Database')
  const where = { name: 'users', namespace: 'dev' }
  return {
    ...kinds,
    units,
    status,
    data: () => readdirSync(join(directory, 'databases/local')),
    make: (spec: object = {}) =>
      kinds.create({
        apiVersion: API,
        kind: 'Database',
        metadata: { name: 'users' },
        spec: { engine: 'postgresql', version: installed, size: '1Gi', ...spec },
      } as never),
    change: (spec: object) => databases.patch(where, { spec }),
    remove: () => databases.delete(where),
    gone: () => expect.poll(() => databases.find(where), { interval: 100 }).toBeUndefined(),
    runs: () => expect.poll(status, { interval: 100 }).toMatchObject({ phase: 'Running' }),
    /** With the login that an application gets. */
    async sql(text: string) {
      const secret = await kinds.client.resource('v1', 'Secret').get({ name: 'database-users', namespace: 'dev' })
      const [host, port, database, user, password] = ['host', 'port', 'database', 'user', 'password'].map((key) =>
        Buffer.from(secret.data?.[key] ?? '', 'base64').toString(),
      )
      const client = new Client({ host, port: Number(port), database, user, password } as never)
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
  }
}

/** One process, and only if it is a PostgreSQL of these tests. */
function killServer(pid: number | undefined): void {
  if (pid === undefined || pid < 2) throw new Error(`no server has the pid ${pid}`)
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  if (!/postgres.*homeostat-kinds-/s.test(command)) throw new Error(`${pid} is no server of this test: ${command}`)
  process.kill(pid, 'SIGKILL')
}

/** The processes, past the controllers. */
async function openUnits(directory: string) {
  const open = () => openProcessRuntime({ directory: join(directory, 'databases/units') })
  onTestFinished(async () => {
    const runtime = await open()
    for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
    await runtime.close()
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  })
  return async () => {
    const runtime = await open()
    const units = await runtime.list({})
    await runtime.close()
    return units
  }
}

describe.skipIf(installed === undefined)('a Database', () => {
  it('has a PostgreSQL of its own; what nothing acts on is said; its data survives its end and its deletion', async () => {
    const { make, runs, status, sql, units, remove, gone, data } = await lab()
    await make({ replicas: 3, extensions: ['pgcrypto'], backup: { enabled: true } })
    await runs()
    expect(await status()).toMatchObject({
      endpoint: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      secret: 'database-users',
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Ready', status: 'True' }),
        expect.objectContaining({
          type: 'PartiallySupported',
          status: 'True',
          message: 'nothing acts on spec.size, spec.replicas, spec.backup',
        }),
      ]),
    })
    await sql(`CREATE TABLE people AS SELECT encode(digest('ada', 'sha256'), 'hex') AS name`)
    await expect(sql('CREATE ROLE other')).rejects.toThrow('permission denied')
    const [unit] = await units()
    killServer(unit?.pid)
    await expect.poll(async () => (await units())[0]?.pid, { interval: 200 }).not.toBe(unit?.pid)
    await expect.poll(() => sql('SELECT name FROM people').catch(() => []), { interval: 200 }).toHaveLength(1)
    await remove()
    await gone()
    expect(await units()).toEqual([])
    expect(data()).toEqual(['dev.users'])
    await make({ deletionPolicy: 'Delete' })
    await runs()
    expect(await sql('SELECT name FROM people')).toHaveLength(1)
    await remove()
    await gone()
    expect(data()).toEqual([])
  })

  it('goes on when its controller was away, and is deleted when that comes back', async () => {
    const { make, runs, sql, units, restart, endControllers, remove, gone, status, find, data } = await lab()
    await make({ deletionPolicy: 'Delete' })
    await runs()
    const [before] = await units()
    await restart()
    await expect.poll(status).toMatchObject({ phase: 'Running' })
    expect((await units())[0]?.pid).toBe(before?.pid)
    expect(await sql('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await endControllers()
    await remove()
    expect(await find(API, 'Database', 'users')).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } })
    expect(await units()).toHaveLength(1)
    await restart()
    await gone()
    expect([await units(), data()]).toEqual([[], []])
  })

  it('that cannot be says why', async () => {
    const { make, status, change } = await lab()
    await make({ version: '8' })
    const ready = async () => (await status()).conditions
    const saying = (message: string) =>
      expect.arrayContaining([expect.objectContaining({ type: 'Ready', message: expect.stringContaining(message) })])
    await expect.poll(ready).toEqual(saying('PostgreSQL 8 is not on this machine (installed: '))
    await change({ version: installed, runtime: 'docker' })
    await expect.poll(ready).toEqual(saying('the data is with local, and is not moved to docker'))
    await change({ engine: 'mysql', runtime: 'local' })
    await expect.poll(ready).toEqual(saying('"mysql" is not "postgresql"'))
  })

  it('never takes a Secret of somebody else', async () => {
    const { client, make, status } = await lab()
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'database-users', namespace: 'dev' } }
    await client.resource('v1', 'Secret').create(secret as never)
    await make()
    await expect
      .poll(async () => JSON.stringify((await status()).conditions))
      .toContain('there is a Secret database-users in dev that is not of this Database')
    expect((await client.resource('v1', 'Secret').get(secret.metadata)).data).toBeUndefined()
  })
})
