// PostgresConnection and PostgresDatabase on a real PostgreSQL, whose administrator is no superuser.

import type { LooseObject } from '@homeostat/client'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Postgres, startPostgres } from '../programs/postgres.ts'
import { conditionsOf, connectionTo, type Lab, lab, secretValues } from './lab.fixture.ts'
import { needPrograms } from './needed-programs.fixture.ts'

const missing = needPrograms('initdb', 'postgres')
let postgres: Postgres
let home: Lab
beforeAll(async () => {
  if (missing) return
  postgres = await startPostgres()
  home = await lab()
  await home.env.apply(...connectionTo(postgres))
})
afterAll(async () => {
  await home?.env.close()
  await postgres?.close()
})

const ref = (name: string, namespace = 'homelab') => ({
  apiVersion: 'homelab.mortenolsen.pro/v1',
  kind: 'PostgresDatabase',
  name,
  namespace,
})
function database(name: string, spec: object = {}, metadata: object = {}) {
  const { apiVersion, kind, namespace } = ref(name)
  return { apiVersion, kind, metadata: { name, namespace, ...metadata }, spec: { connection: 'homelab/db', ...spec } }
}
const until = (name: string, condition: string, wanted: string, namespace?: string) =>
  home.env.until<LooseObject>(ref(name, namespace), (object) => conditionsOf(object)[condition] === wanted)
const secretOf = (name: string) => secretValues(home.env, `postgres-database-${name}`)
const remove = (name: string) => home.env.client.resourceOf(ref(name).apiVersion, ref(name).kind).delete(ref(name))
/** Logs in as an application and runs one statement. */
async function asApplication(name: string, text: string, other: object = {}): Promise<Record<string, unknown>[]> {
  const { host, port, user, password, database } = await secretOf(name)
  const client = new Client({ host, port: Number(port), user, password, database, ...other })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
const roles = (name: string) => postgres.sql(`SELECT rolname, rolcanlogin FROM pg_roles WHERE rolname = '${name}'`)
const databases = (name: string) => postgres.sql(`SELECT datname FROM pg_database WHERE datname = '${name}'`)

test.skipIf(missing)('a database, its role and its Secret are there when the resource is ready', async () => {
  await home.env.apply(database('test2', { extensions: ['pg_trgm', 'uuid-ossp'] }))
  const ready = await until('test2', 'Ready', 'True Ready')
  expect(conditionsOf(ready)).toMatchObject({ Connection: 'True Ready', Secret: 'True Ready', Database: 'True Ready' })
  expect(ready.status).toMatchObject({ database: 'homelab_test2', secret: 'postgres-database-test2' })
  await asApplication('test2', 'CREATE TABLE notes (text text); INSERT INTO notes VALUES (1)')
  expect(
    await asApplication('test2', 'SELECT gen_random_uuid() IS NOT NULL AS made, similarity(text, text) FROM notes'),
  ).toEqual([{ made: true, similarity: 1 }])
})

test.skipIf(missing)('the role can do nothing outside of its database, and nobody else can enter that', async () => {
  await home.env.apply(database('inner'), database('other'))
  await until('inner', 'Ready', 'True Ready')
  await until('other', 'Ready', 'True Ready')
  const [role] = await postgres.sql(
    `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = 'homelab_inner'`,
  )
  expect(Object.values(role ?? {})).toEqual([false, false, false, false, false])
  for (const text of [
    'CREATE ROLE thief',
    'CREATE DATABASE more',
    'DROP DATABASE homelab_inner',
    'SELECT * FROM pg_authid',
  ])
    await expect(asApplication('inner', text)).rejects.toThrow(/permission denied|must be owner|currently open/)
  await expect(asApplication('inner', 'SELECT', { database: 'homelab_other' })).rejects.toThrow(
    'permission denied for database',
  )
})

test.skipIf(missing)('what somebody changes by hand is put right, and an Event says what', async () => {
  await home.env.apply(database('drift', { extensions: ['citext'] }))
  await until('drift', 'Ready', 'True Ready')
  await postgres.sql(`ALTER ROLE homelab_drift SUPERUSER CREATEDB PASSWORD 'known'; GRANT pg_read_all_data TO homelab_drift;
    GRANT homelab_other TO homelab_drift; ALTER ROLE homelab_drift NOSUPERUSER;
    REVOKE CREATE, TEMPORARY ON DATABASE homelab_drift FROM homelab_drift; GRANT ALL ON DATABASE homelab_drift TO PUBLIC`)
  await postgres.sql('DROP EXTENSION citext; REVOKE ALL ON SCHEMA public FROM homelab_drift', 'homelab_drift')
  await postgres.sql('REVOKE pg_read_all_data FROM homelab_drift')
  await home.env.advance('31s')
  await expect
    .poll(async () => (await asApplication('drift', 'SELECT 1 AS one').catch(String)).toString())
    .toBe('[object Object]')
  await expect
    .poll(() =>
      postgres.sql(
        `SELECT rolcreatedb, ARRAY(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = oid) AS groups FROM pg_roles WHERE rolname = 'homelab_drift'`,
      ),
    )
    .toEqual([{ rolcreatedb: false, groups: [] }])
  await home.env.settled()
  expect(await postgres.sql(`SELECT extname FROM pg_extension WHERE extname = 'citext'`, 'homelab_drift')).toHaveLength(
    1,
  )
  await asApplication('drift', 'CREATE TABLE t ()')
  const events = await home.env.client.resourceOf<LooseObject>('v1', 'Event').list({ namespace: 'homelab' })
  const corrected = events.items.find((event) => (event as { reason?: unknown }).reason === 'Corrected')
  expect(JSON.stringify(corrected)).toMatch(/NOCREATEDB/)
})

test.skipIf(missing)('a database that is dropped by hand is there again', async () => {
  await home.env.apply(database('dropped'))
  await until('dropped', 'Ready', 'True Ready')
  await postgres.sql('DROP DATABASE homelab_dropped WITH (FORCE)')
  await home.env.advance('31s')
  await expect.poll(() => databases('homelab_dropped')).toHaveLength(1)
  await until('dropped', 'Ready', 'True Ready')
})

test.skipIf(missing)('a reconcile with nothing to do writes nothing, to neither side', async () => {
  await home.env.settled()
  home.env.takeWrites()
  const before = await postgres.sql(
    `SELECT sum(xact_rollback) AS n FROM pg_stat_database WHERE datname = 'homelab_test2'`,
  )
  const [{ xmin } = {}] = await postgres.sql(`SELECT xmin FROM pg_authid WHERE rolname = 'homelab_test2'`)
  await home.env.advance('31s')
  await home.env.settled()
  expect(home.env.takeWrites()).toEqual([])
  expect(before).toHaveLength(1)
  expect(await postgres.sql(`SELECT xmin FROM pg_authid WHERE rolname = 'homelab_test2'`)).toEqual([{ xmin }])
})

test.skipIf(missing)('a password is rotated on request once, and after its time', async () => {
  await home.env.apply(database('rotated', { rotation: { every: '30d' } }))
  await until('rotated', 'Ready', 'True Ready')
  const first = await secretOf('rotated')
  const annotations = { 'homelab.mortenolsen.pro/rotate': 'leaked on Monday' }
  await home.env.apply(database('rotated', { rotation: { every: '30d' } }, { annotations }))
  await expect.poll(async () => (await secretOf('rotated')).password).not.toBe(first.password)
  await until('rotated', 'Ready', 'True Ready')
  const second = await secretOf('rotated')
  await home.env.settled()
  expect(await asApplication('rotated', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await expect(asApplication('rotated', 'SELECT', { password: first.password })).rejects.toThrow(
    'authentication failed',
  )
  await home.env.advance('1h')
  await home.env.settled()
  expect(await secretOf('rotated')).toEqual(second)
  await home.env.advance('30d')
  await expect.poll(async () => (await secretOf('rotated')).password).not.toBe(second.password)
  await home.env.settled()
  expect(await asApplication('rotated', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

const HOSTILE = [
  'a"; DROP DATABASE homelab_test2; --',
  "it's",
  '$$ \\ \' " %s',
  'Ünïcødé 数据',
  '-- comment',
  'UPPER lower',
]
test.skipIf(missing)('names are names, whatever is in them', async () => {
  for (const [index, name] of HOSTILE.entries()) {
    await home.env.apply(database(`hostile-${index}`, { database: name, deletionPolicy: 'Delete' }))
    const ready = await until(`hostile-${index}`, 'Ready', 'True Ready')
    expect(ready.status).toMatchObject({ database: name })
    expect(await asApplication(`hostile-${index}`, 'SELECT current_database(), current_user')).toEqual([
      { current_database: name, current_user: name },
    ])
    await remove(`hostile-${index}`)
    await home.env.untilGone(ref(`hostile-${index}`))
  }
  expect(await databases('homelab_test2')).toHaveLength(1)
  const left = await postgres.sql('SELECT datname FROM pg_database UNION SELECT rolname FROM pg_roles')
  expect(left.filter(({ datname }) => HOSTILE.includes(String(datname)))).toEqual([])
})

test.skipIf(missing)('names that PostgreSQL would cut, or has for itself, are refused with their place', async () => {
  for (const [index, name] of ['postgres', 'pg_mine', 'template1', 'é'.repeat(40), 'nul\0'].entries()) {
    await home.env.apply(database(`refused-${index}`, { database: name }))
    const refused = await until(`refused-${index}`, 'Accepted', 'False InvalidSpec')
    expect(JSON.stringify(refused.status)).toContain('spec.database')
  }
})

test.skipIf(missing)('what others made is not taken over, and not removed', async () => {
  await postgres.sql('CREATE DATABASE payroll')
  await postgres.sql('CREATE ROLE auditor LOGIN')
  await home.env.apply(database('thief', { database: 'payroll', deletionPolicy: 'Delete' }))
  await home.env.apply(database('second-thief', { database: 'homelab_test2', deletionPolicy: 'Delete' }))
  await home.env.apply(database('third-thief', { database: 'auditor', deletionPolicy: 'Delete' }))
  for (const name of ['thief', 'second-thief', 'third-thief']) {
    await until(name, 'Database', 'False NameTaken')
    await remove(name)
    await home.env.untilGone(ref(name))
  }
  expect(await databases('payroll')).toHaveLength(1)
  expect(await databases('homelab_test2')).toHaveLength(1)
  expect(await roles('auditor')).toHaveLength(1)
})

test.skipIf(missing)(
  'a deleted resource keeps its data and locks its role, and finds both when it is made again',
  async () => {
    await home.env.apply(database('kept'))
    await until('kept', 'Ready', 'True Ready')
    await asApplication('kept', 'CREATE TABLE precious (n int)')
    await remove('kept')
    await home.env.untilGone(ref('kept'))
    expect(await roles('homelab_kept')).toEqual([{ rolname: 'homelab_kept', rolcanlogin: false }])
    await home.env.apply(database('kept'))
    await until('kept', 'Ready', 'True Ready')
    expect(await asApplication('kept', 'SELECT * FROM precious')).toEqual([])
  },
)

test.skipIf(missing)('with the policy Delete, database and role go, also while somebody is logged in', async () => {
  await home.env.apply(database('gone', { deletionPolicy: 'Delete' }))
  await until('gone', 'Ready', 'True Ready')
  const { host, port, user, password, database: name } = await secretOf('gone')
  const session = new Client({ host, port: Number(port), user, password, database: name })
  const ended = new Promise((resolve) => session.on('error', resolve))
  await session.connect()
  await remove('gone')
  await home.env.untilGone(ref('gone'))
  await ended
  expect([await databases('homelab_gone'), await roles('homelab_gone')]).toEqual([[], []])
})

test.skipIf(missing)('a connection of another namespace is for those it names', async () => {
  await home.env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant' } })
  const { apiVersion, kind } = ref('x')
  await home.env.apply({
    apiVersion,
    kind,
    metadata: { name: 'x', namespace: 'tenant' },
    spec: { connection: 'homelab/db' },
  })
  await until('x', 'Connection', 'False ConnectionNotAllowed', 'tenant')
  expect(await databases('tenant_x')).toEqual([])
  await home.env.apply(...connectionTo(postgres, { allowedNamespaces: ['tenant'] }))
  await until('x', 'Ready', 'True Ready', 'tenant')
  expect(await databases('tenant_x')).toHaveLength(1)
})

test.skipIf(missing)(
  'an extension that PostgreSQL does not call trusted needs the word of the connection',
  async () => {
    await home.env.apply(
      database('extended', { extensions: ['file_fdw'] }),
      database('missing', { extensions: ['no "such"'] }),
    )
    await until('extended', 'Database', 'False ExtensionNotAllowed')
    await until('missing', 'Database', 'False ExtensionUnavailable')
  },
)

test.skipIf(missing)('a database cannot be moved, and its connection cannot be a file', async () => {
  await home.env.apply(database('moved'))
  await until('moved', 'Ready', 'True Ready')
  await home.env.apply(database('moved', { database: 'elsewhere' }))
  await until('moved', 'Ready', 'False Immutable')
  expect(await databases('elsewhere')).toEqual([])
  await expect(home.env.apply(...connectionTo({ ...postgres, host: '/var/run/postgresql' }))).rejects.toThrow(
    'spec.host',
  )
})
