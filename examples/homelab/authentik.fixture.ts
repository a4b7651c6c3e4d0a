// An AuthentikServer whose dependencies are written by the test: no database, no Redis, no pods.

import type { LooseObject } from '@homeostat/client'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { onTestFinished } from 'vitest'
import { authentikServerDefinition } from './src/custom-resources/authentik-server/authentik-server.ts'
import { domainDefinition } from './src/custom-resources/domain/domain.ts'
import { postgresDatabaseDefinition } from './src/custom-resources/postgres-database/postgres-database.ts'
import { redisConnectionDefinition } from './src/custom-resources/redis-connection/redis-connection.ts'
import { GROUP } from './src/group.ts'

const apiVersion = `${GROUP}/v1`
const namespace = 'homelab'
export const authentikRef = { apiVersion, kind: 'AuthentikServer', name: 'homelab', namespace }

const SPECS = {
  Domain: { hostname: 'local.olsen.cloud', issuer: 'letsencrypt-prod' },
  PostgresDatabase: { connection: 'homelab/db' },
  RedisConnection: { host: 'redis.example.com' },
}

export async function authentikEnv(): Promise<TestEnv> {
  const env = await testEnv({ definitions: [domainDefinition, postgresDatabaseDefinition, redisConnectionDefinition] })
  onTestFinished(() => env.close())
  await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await env.run(authentikServerDefinition, { name: 'homelab' }).ready
  const { kind, name } = authentikRef
  const spec = { domain: 'homelab', database: 'test2', redis: 'redis' }
  await env.apply({ apiVersion, kind, metadata: { name, namespace }, spec })
  return env
}

export async function createDependency(env: TestEnv, kind: keyof typeof SPECS, name: string): Promise<void> {
  await env.apply({ apiVersion, kind, metadata: { name, namespace }, spec: SPECS[kind] })
}

export async function dependencyIs(
  env: TestEnv,
  kind: keyof typeof SPECS,
  name: string,
  ready: boolean,
): Promise<void> {
  const conditions = [
    { type: 'Ready', status: ready ? 'True' : 'False', reason: ready ? 'Ready' : 'Pending', message: '' },
  ]
  const status = { conditions: conditions.map((one) => ({ ...one, lastTransitionTime: new Date(0).toISOString() })) }
  await env.client.resourceOf<LooseObject>(apiVersion, kind).status.patch({ name, namespace }, { status } as never)
}

/** All dependencies and all pods are ready. */
export async function readyPods(env: TestEnv): Promise<LooseObject> {
  const names = { Domain: 'homelab', PostgresDatabase: 'test2', RedisConnection: 'redis' } as const
  for (const [kind, name] of Object.entries(names) as [keyof typeof SPECS, string][]) {
    await createDependency(env, kind, name)
    await dependencyIs(env, kind, name, true)
  }
  for (const role of ['server', 'worker']) {
    const place = { name: `homelab-${role}`, namespace }
    const { metadata } = await env.until({ apiVersion: 'apps/v1', kind: 'Deployment', ...place }, () => true)
    const status = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, observedGeneration: metadata.generation ?? 1 }
    await env.client.resource('apps/v1', 'Deployment').status.patch(place, { status })
  }
  return env.until<LooseObject>(authentikRef, ({ status }) =>
    (status?.conditions ?? []).some((one) => one.type === 'Ready' && one.status === 'True'),
  )
}

/** What the operator writes when it reconciles once more for nothing. */
export async function reconciledAgain(env: TestEnv): Promise<string[]> {
  await env.settled()
  env.takeWrites()
  const labels = { touched: 'yes' }
  await env.client.resourceOf(apiVersion, 'AuthentikServer').patch(authentikRef, { metadata: { labels } })
  await env.settled()
  return env.takeWrites()
}
