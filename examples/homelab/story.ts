// The whole example as a story: PostgreSQL and Redis are real, the cluster is a control plane inside this program. It prints what
// happens, and leaves nothing behind.

import { silentLog } from '@homeostat/base'
import type { LooseObject } from '@homeostat/client'
import { testEnv } from '@homeostat/testing'
import { certificates, gateways } from './definitions/definitions.ts'
import { startPostgres } from './programs/postgres.ts'
import { startRedis } from './programs/redis.ts'
import { samples } from './samples/samples.ts'
import { simulatedCluster } from './simulated-cluster.ts'
import { customResources } from './src/custom-resources/custom-resources.ts'
import { GROUP } from './src/group.ts'

const apiVersion = `${GROUP}/v1`
const namespace = 'homelab'

export async function tellStory(print: (line: string) => void): Promise<void> {
  const opened: { close(): Promise<void> }[] = []
  try {
    await play(print, (one) => {
      opened.push(one)
      return one
    })
  } finally {
    for (const one of opened.reverse()) await one.close()
  }
}

type Closing = <T extends { close(): Promise<void> }>(one: T) => T

async function play(print: (line: string) => void, closing: Closing): Promise<void> {
  print('1. PostgreSQL and Redis start, in temporary folders')
  const [postgres, redis] = await Promise.all([startPostgres().then(closing), startRedis().then(closing)])
  const cluster = closing(simulatedCluster())
  const env = closing(await testEnv())
  const seen = (kind: string, name: string, wanted: (conditions: Record<string, string>) => boolean) =>
    env.until<LooseObject>({ apiVersion, kind, name, namespace }, (object) => wanted(reasons(object)), '10m')
  const show = (object: LooseObject) => print(`   ${object.kind} ${object.metadata.name}: ${readiness(object)}`)

  print('2. The operator starts. Its AuthentikServer has nothing to stand on')
  for (const name of [namespace, 'istio-ingress'])
    await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await env.run(customResources, { name: 'homelab', log: silentLog }).ready
  await env.run(cluster.operators, { name: 'simulated-cluster', log: silentLog }).ready
  const [secrets, connections, database, domain, authentik] = samples({ postgres, redis })
  await env.apply(authentik)
  show(await seen('AuthentikServer', 'homelab', ({ Domain }) => Domain === 'MissingDependency'))

  print('3. A domain: it waits for the definitions of cert-manager and Istio, which come now')
  await env.apply(domain)
  show(await seen('Domain', 'homelab', ({ Ready }) => Ready === 'MissingCRD'))
  await env.apply(certificates, gateways)
  show(await seen('Domain', 'homelab', ({ Ready }) => Ready === 'Ready'))

  print('4. Connections and a database')
  await env.apply(...secrets, ...connections, database)
  show(await seen('PostgresDatabase', 'test2', ({ Ready }) => Ready === 'Ready'))
  const [made] = await postgres.sql(`SELECT datname FROM pg_database WHERE datname = 'homelab_test2'`)
  print(`   PostgreSQL has the database ${made?.datname}`)

  print('5. With all of them, Authentik runs (its pods are simulated)')
  const ready = await seen('AuthentikServer', 'homelab', ({ Ready }) => Ready === 'Ready')
  show(ready)
  print(`   log in at ${(ready.status as { url?: string } | undefined)?.url}`)

  print('6. PostgreSQL is killed, and comes back')
  await postgres.kill()
  await env.advance('31s')
  show(await seen('AuthentikServer', 'homelab', ({ Ready }) => Ready === 'WaitingForDependency'))
  await postgres.restart()
  await env.advance('6s')
  show(await seen('AuthentikServer', 'homelab', ({ Ready }) => Ready === 'Ready'))

  print('7. A new password is asked for')
  const test2 = { apiVersion, kind: 'PostgresDatabase', name: 'test2', namespace }
  const rotatedAt = ({ status }: LooseObject) => (status as { rotatedAt?: string } | undefined)?.rotatedAt
  const before = rotatedAt(await env.until<LooseObject>(test2, () => true))
  const annotations = { [`${GROUP}/rotate`]: 'please' }
  await env.client.resourceOf(apiVersion, test2.kind).patch(test2, { metadata: { annotations } })
  await env.until<LooseObject>(test2, (object) => rotatedAt(object) !== before)
  show(await seen('AuthentikServer', 'homelab', ({ Ready }) => Ready === 'Ready'))

  print('8. Everything is deleted; the policy of the database is Delete')
  for (const { kind, metadata } of [authentik, database, domain]) {
    await env.client.resourceOf(apiVersion, kind).delete(metadata)
    await env.untilGone({ apiVersion, kind, ...metadata }, '10m')
  }
  const left = await postgres.sql(`SELECT datname FROM pg_database WHERE datname LIKE 'homelab%'`)
  print(`   databases of the homelab: ${left.length}`)
}

function reasons(object: LooseObject): Record<string, string> {
  const all = object.status?.conditions ?? []
  return Object.fromEntries(all.map(({ type, reason }) => [type, reason ?? '']))
}

function readiness({ status }: LooseObject): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' ? 'ready' : `${ready?.reason}, ${ready?.message}`
}
