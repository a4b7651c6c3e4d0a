// AuthentikServer with its dependencies on real PostgreSQL and Redis; its pods are simulated.

import type { LooseObject } from '@homeostat/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates, gateways } from '../definitions/definitions.ts'
import { type Postgres, startPostgres } from '../programs/postgres.ts'
import { type Redis, startRedis } from '../programs/redis.ts'
import { samples } from '../samples/samples.ts'
import { simulatedCluster } from '../simulated-cluster.ts'
import { conditionsOf, type Lab, lab, secretValues } from './lab.fixture.ts'
import { needPrograms } from './needed-programs.fixture.ts'

const missing = needPrograms('initdb', 'postgres', 'redis-server')
const apiVersion = 'homelab.mortenolsen.pro/v1'
const namespace = 'homelab'
const ref = (kind: string, name = 'homelab') => ({ apiVersion, kind, name, namespace })

let postgres: Postgres
let redis: Redis
let home: Lab
const cluster = simulatedCluster()
beforeAll(async () => {
  if (missing) return
  ;[postgres, redis, home] = await Promise.all([startPostgres(), startRedis(), lab()])
  await home.env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'istio-ingress' } })
  await home.env.apply(certificates, gateways)
  await home.env.run(cluster.operators, { name: 'simulated-cluster' }).ready
})
afterAll(async () => {
  await home?.env.close()
  await cluster.close()
  await Promise.all([postgres?.close(), redis?.close()])
})

const until = (kind: string, condition: string, wanted: string, name?: string) =>
  home.env.until<LooseObject>(ref(kind, name), (object) => conditionsOf(object)[condition] === wanted)
const deployment = (role: string) =>
  home.env.until({ apiVersion: 'apps/v1', kind: 'Deployment', name: `homelab-${role}`, namespace }, () => true)
const digest = async () => JSON.stringify((await deployment('server')).spec?.template?.metadata?.annotations)

test.skipIf(missing)(
  'it waits for each dependency to be there, then to be ready, and is ready with the last',
  async () => {
    const [secrets, connections, database, domain, authentik] = samples({ postgres, redis })
    await home.env.apply(authentik)
    const first = await until('AuthentikServer', 'Ready', 'False MissingDependency')
    expect(conditionsOf(first)).toMatchObject({
      Domain: 'False MissingDependency',
      Database: 'False MissingDependency',
      Redis: 'False MissingDependency',
      Healthy: 'False MissingDependency',
    })
    await home.env.apply(database)
    await until('AuthentikServer', 'Database', 'False WaitingForDependency')
    await home.env.apply(domain)
    await until('AuthentikServer', 'Domain', 'True Ready')
    await home.env.apply(...secrets, ...connections)
    const ready = await until('AuthentikServer', 'Ready', 'True Ready')
    expect(conditionsOf(ready)).toMatchObject({ Healthy: 'True Healthy', Server: 'True Ready', Worker: 'True Ready' })
    expect(ready.status).toMatchObject({
      url: 'https://authentik.local.olsen.cloud',
      sso: { authorize: 'https://authentik.local.olsen.cloud/application/o/authorize/' },
    })
  },
)

test.skipIf(missing)('pods get their passwords from Secrets, and no manifest or status holds one', async () => {
  const own = await secretValues(home.env, 'homelab-authentik')
  const database = await secretValues(home.env, 'postgres-database-test2')
  const server = await deployment('server')
  const env = server.spec?.template?.spec?.containers?.[0]?.env ?? []
  const from = (name: string) => env.find((one) => one.name === name)?.valueFrom?.secretKeyRef
  expect(from('AUTHENTIK_POSTGRESQL__PASSWORD')).toEqual({ name: 'postgres-database-test2', key: 'password' })
  expect(from('AUTHENTIK_REDIS__PASSWORD')).toEqual({ name: 'redis-login', key: 'password' })
  const shown = JSON.stringify([
    server,
    await deployment('worker'),
    await until('AuthentikServer', 'Ready', 'True Ready'),
  ])
  for (const value of [own.secretKey, own.bootstrapPassword, own.bootstrapToken, database.password, redis.password])
    expect(shown).not.toContain(value)
  const ingress = await home.env.until(
    { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'homelab', namespace },
    () => true,
  )
  const domain = await home.env.until<LooseObject>(ref('Domain'), () => true)
  expect(ingress.spec?.tls).toEqual([
    {
      hosts: ['authentik.local.olsen.cloud'],
      secretName: (domain.status as { secretName?: string } | undefined)?.secretName,
    },
  ])
})

test.skipIf(missing)('new keys, and a new password of the database, roll the pods', async () => {
  const first = await digest()
  const rotate = (kind: string, name: string) =>
    home.env.client
      .resourceOf(apiVersion, kind)
      .patch({ name, namespace }, { metadata: { annotations: { 'homelab.mortenolsen.pro/rotate': 'now' } } })
  await rotate('PostgresDatabase', 'test2')
  await expect.poll(digest).not.toBe(first)
  const second = await digest()
  const before = await secretValues(home.env, 'homelab-authentik')
  await rotate('AuthentikServer', 'homelab')
  await expect.poll(digest).not.toBe(second)
  expect((await secretValues(home.env, 'homelab-authentik')).secretKey).not.toBe(before.secretKey)
  await home.env.settled()
  await until('AuthentikServer', 'Ready', 'True Ready')
})

test.skipIf(missing)(
  'health includes the database and Redis: it goes and comes with them, and the pods stay',
  async () => {
    const { metadata } = await deployment('server')
    await postgres.kill()
    await home.env.advance('31s')
    const ill = await until('AuthentikServer', 'Healthy', 'False WaitingForDependency')
    expect(conditionsOf(ill)).toMatchObject({ Ready: 'False WaitingForDependency', Redis: 'True Ready' })
    await postgres.restart()
    await home.env.advance('6s')
    await until('AuthentikServer', 'Healthy', 'True Healthy')
    await redis.kill()
    await home.env.advance('31s')
    await until('RedisConnection', 'Ready', 'False Unreachable', 'redis')
    await until('AuthentikServer', 'Redis', 'False WaitingForDependency')
    await redis.restart()
    await home.env.advance('6s')
    await until('AuthentikServer', 'Ready', 'True Ready')
    expect((await deployment('server')).metadata.uid).toBe(metadata.uid)
  },
)

test.skipIf(missing)('a wrong password of Redis is named, without the password', async () => {
  const secret = (password: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'redis-login', namespace },
    stringData: { password },
  })
  await home.env.apply(secret('not-the-one'))
  const refused = await until('RedisConnection', 'Ready', 'False LoginRefused', 'redis')
  expect(JSON.stringify(refused)).not.toContain('not-the-one')
  await home.env.apply(secret(redis.password))
  await until('AuthentikServer', 'Ready', 'True Ready')
})

test.skipIf(missing)(
  'a database that is deleted while PostgreSQL is down waits, and goes when it is back',
  async () => {
    await postgres.kill()
    const databases = home.env.client.resourceOf<LooseObject>(apiVersion, 'PostgresDatabase')
    await databases.delete({ name: 'test2', namespace })
    const waits = await until('PostgresDatabase', 'Ready', 'False Unreachable', 'test2')
    expect(waits.metadata.deletionTimestamp).toBeDefined()
    await until('AuthentikServer', 'Database', 'False WaitingForDependency')
    await postgres.restart()
    await home.env.advance('6s')
    await home.env.untilGone(ref('PostgresDatabase', 'test2'))
    expect(await postgres.sql(`SELECT FROM pg_database WHERE datname = 'homelab_test2'`)).toEqual([])
    await until('AuthentikServer', 'Database', 'False MissingDependency')
  },
)

test.skipIf(missing)('without its connection a database waits, unless its policy becomes Retain', async () => {
  const [, , database] = samples({ postgres, redis })
  await home.env.apply(database)
  await until('PostgresDatabase', 'Ready', 'True Ready', 'test2')
  const client = (kind: string) => home.env.client.resourceOf<LooseObject>(apiVersion, kind)
  await client('PostgresConnection').delete({ name: 'db', namespace })
  await home.env.untilGone(ref('PostgresConnection', 'db'))
  await client('PostgresDatabase').delete({ name: 'test2', namespace })
  await home.env.until<LooseObject>(ref('PostgresDatabase', 'test2'), ({ status }) =>
    JSON.stringify(status).includes('set spec.deletionPolicy to Retain'),
  )
  await client('PostgresDatabase').patch({ name: 'test2', namespace }, { spec: { deletionPolicy: 'Retain' } })
  await home.env.untilGone(ref('PostgresDatabase', 'test2'))
  expect(await postgres.sql(`SELECT FROM pg_database WHERE datname = 'homelab_test2'`)).toHaveLength(1)
})

test.skipIf(missing)('a deleted AuthentikServer takes what it made along', async () => {
  await home.env.client.resourceOf(apiVersion, 'AuthentikServer').delete({ name: 'homelab', namespace })
  const children = [
    { apiVersion: 'apps/v1', kind: 'Deployment', name: 'homelab-server' },
    { apiVersion: 'apps/v1', kind: 'Deployment', name: 'homelab-worker' },
    { apiVersion: 'v1', kind: 'Service', name: 'homelab' },
    { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'homelab' },
    { apiVersion: 'v1', kind: 'Secret', name: 'homelab-authentik' },
  ]
  for (const child of children) await home.env.untilGone({ ...child, namespace })
})
