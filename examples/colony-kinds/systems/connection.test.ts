// A Database over a PostgresConnection: the controller here and the operator of homelab together, on a real PostgreSQL.

import { silentLog } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { run } from '@homeostat/operator'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../homelab/programs/postgres.ts'
import { customResources } from '../../homelab/src/custom-resources/custom-resources.ts'
import { connectionTo } from '../../homelab/systems/lab.fixture.ts'
import type { Observed } from '../resource.ts'
import { stage } from '../stage.fixture.ts'
import { needPostgres } from './need-postgres.fixture.ts'

const installed = needPostgres()
const API = 'storage.colonies.io/v1'
const HOMELAB = 'homelab.mortenolsen.pro/v1'
const where = { name: 'users', namespace: 'dev' }

async function lab() {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.close())
  const kinds = await stage()
  const { client } = kinds
  const operator = run(customResources, { name: 'homelab', client, log: silentLog })
  onTestFinished(() => operator.close())
  await operator.ready
  const databases = client.resourceOf<Observed>(API, 'Database')
  return {
    ...kinds,
    postgres,
    databases,
    make: (spec: object = {}) =>
      kinds.create({
        apiVersion: API,
        kind: 'Database',
        metadata: { name: 'users' },
        spec: { engine: 'postgresql', version: installed, size: '1Gi', connection: 'homelab/db', ...spec },
      } as never),
    async connect() {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'homelab' } }
      for (const one of [namespace, ...connectionTo(postgres, { allowedNamespaces: ['dev'] })] as ApiObject[])
        await client.resourceOf(one.apiVersion ?? '', one.kind ?? '').create(one)
    },
    status: async () => ((await databases.find(where))?.status ?? {}) as Record<string, unknown>,
    existing: (name: unknown) => postgres.sql(`SELECT FROM pg_database WHERE datname = '${name}'`),
    /** With the login that an application gets. */
    async sql(secretName: unknown, text: string) {
      const secret = await client.resource('v1', 'Secret').get({ name: String(secretName), namespace: 'dev' })
      const [host, port, database, user, password] = ['host', 'port', 'database', 'user', 'password'].map((key) =>
        Buffer.from(secret.data?.[key] ?? '', 'base64').toString(),
      )
      const application = new Client({ host, port: Number(port), database, user, password } as never)
      application.on('error', () => {})
      await application.connect()
      try {
        return (await application.query(text)).rows
      } finally {
        await application.end()
      }
    },
  }
}

test.skipIf(installed === undefined)(
  'a Database waits for its connection, is used, and goes with its data',
  async () => {
    const { make, connect, status, sql, databases, existing, find } = await lab()
    await make({ extensions: ['pg_trgm'], deletionPolicy: 'Delete', replicas: 2 })
    await expect.poll(status).toMatchObject({ phase: 'Pending', runtime: 'connection' })
    await connect()
    await expect.poll(status, { interval: 100 }).toMatchObject({
      phase: 'Running',
      secret: 'postgres-database-users',
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Ready', status: 'True' }),
        expect.objectContaining({ type: 'PartiallySupported', message: expect.stringContaining('spec.replicas') }),
      ]),
    })
    const { secret, database } = await status()
    await sql(secret, 'CREATE TABLE people AS SELECT 1 AS id')
    expect(await sql(secret, `SELECT similarity('a', 'a') AS same, id FROM people`)).toEqual([{ same: 1, id: 1 }])
    expect(await existing(database)).toHaveLength(1)
    await databases.delete(where)
    await expect.poll(() => find(HOMELAB, 'PostgresDatabase', 'users'), { interval: 100 }).toBeUndefined()
    await expect.poll(() => existing(database), { interval: 100 }).toHaveLength(0)
  },
)

test.skipIf(installed === undefined)(
  'a Database over a connection that goes says so; Retain keeps its data',
  async () => {
    const { make, connect, status, sql, databases, existing, find, client, postgres } = await lab()
    await connect()
    await make()
    await expect.poll(status, { interval: 100 }).toMatchObject({ phase: 'Running' })
    const { secret, database } = await status()
    await sql(secret, 'CREATE TABLE people AS SELECT 1 AS id')
    const connections = client.resourceOf<Observed>(HOMELAB, 'PostgresConnection')
    await connections.delete({ name: 'db', namespace: 'homelab' })
    await expect.poll(status, { interval: 100 }).toMatchObject({ phase: 'Pending' })
    const [, again] = connectionTo(postgres, { allowedNamespaces: ['dev'] }) as [unknown, Observed]
    await connections.create(again)
    await expect.poll(status, { interval: 100 }).toMatchObject({ phase: 'Running' })
    await databases.delete(where)
    await expect.poll(() => find(HOMELAB, 'PostgresDatabase', 'users'), { interval: 100 }).toBeUndefined()
    expect(await existing(database)).toHaveLength(1)
    await make()
    await expect.poll(status, { interval: 100 }).toMatchObject({ phase: 'Running' })
    expect(await sql(secret, 'SELECT id FROM people')).toEqual([{ id: 1 }])
  },
)
