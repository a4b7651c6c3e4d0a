// The example in processes of their own, which are killed: the server, then the operator.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type LooseObject } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { controller, run } from '@homeostat/operator'
import { expect, onTestFinished, test } from 'vitest'
import { certificates, gateways } from '../definitions/definitions.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startRedis } from '../programs/redis.ts'
import { samples } from '../samples/samples.ts'
import { conditionsOf } from './lab.fixture.ts'
import { needPrograms } from './needed-programs.fixture.ts'
import { spawnScript, startServer } from './processes.fixture.ts'

const missing = needPrograms('initdb', 'postgres', 'redis-server')
const apiVersion = 'homelab.mortenolsen.pro/v1'
const namespace = 'homelab'

const issuer = controller('cert-manager.io/v1', 'Certificate', async ({ conditions }) =>
  conditions.set('Ready', { status: 'True', reason: 'Ready', message: 'issued by the test' }),
)

function operator(kubeconfig: string) {
  const main = 'examples/homelab/main.ts'
  return spawnScript(main, ['operator'], { KUBECONFIG: kubeconfig, HOMEOSTAT_LOG_LEVEL: 'error' })
}

async function authentikIs(client: Client, condition: string, wanted: string): Promise<void> {
  const servers = client.resourceOf<LooseObject>(apiVersion, 'AuthentikServer')
  const read = async () => {
    // The server may be away.
    const found = await servers.find({ name: 'homelab', namespace }).catch(() => undefined)
    return found && conditionsOf(found)[condition]
  }
  await expect.poll(read, { interval: 200 }).toBe(wanted)
}

test.skipIf(missing)('it survives that the server is killed, and that the operator is', async () => {
  const data = mkdtempSync(join(tmpdir(), 'homelab-data-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  onTestFinished(async () => {
    await Promise.all([postgres.close(), redis.close()])
    rmSync(data, { recursive: true, force: true, maxRetries: 3 })
  })
  const server = await startServer(data)
  const { port } = new URL(server.url)
  const client = createClient(nodeTransport({ url: server.url }))
  const issuing = run(issuer, { name: 'issuer', client, log: { debug() {}, info() {}, warn() {}, error() {} } })
  onTestFinished(async () => {
    await issuing.close()
    client.close()
  })
  const apply = async (...manifests: object[]) => {
    for (const manifest of manifests) {
      const { apiVersion, kind, metadata } = manifest as LooseObject
      const sent = { ...manifest, metadata } as never
      await client.resourceOf<LooseObject>(apiVersion, kind).apply(sent, { fieldManager: 'test', force: true })
    }
  }
  let operating = operator(server.kubeconfig)
  for (const name of [namespace, 'istio-ingress'])
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await apply(certificates, gateways)
  const definitions = client.resourceOf<LooseObject>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  await expect
    .poll(
      async () =>
        conditionsOf(
          (await definitions.find({ name: `authentikservers.${apiVersion.split('/')[0]}` })) ?? ({} as LooseObject),
        ).Established,
    )
    .toMatch(/^True/)
  const [secrets, connections, database, domain, authentik] = samples({ postgres, redis })
  await apply(...secrets, ...connections, database, domain, authentik)
  await authentikIs(client, 'Ready', 'True Ready')
  const passwords = async () =>
    (await client.resource('v1', 'Secret').get({ name: 'postgres-database-test2', namespace })).data
  const before = await passwords()

  await server.kill()
  await startServer(data, port)
  // The same operator goes on: it corrects what is changed now.
  const deployments = client.resource('apps/v1', 'Deployment')
  const place = { name: 'homelab-server', namespace }
  await deployments.delete(place)
  await expect.poll(async () => (await deployments.find(place))?.metadata.uid, { interval: 200 }).toBeDefined()
  await authentikIs(client, 'Ready', 'True Ready')

  operating.kill('SIGKILL')
  await postgres.sql('DROP DATABASE homelab_test2 WITH (FORCE)')
  await deployments.delete(place)
  await client
    .resourceOf(apiVersion, 'AuthentikServer')
    .patch({ name: 'homelab', namespace }, { spec: { replicas: { server: 2 } } })
  operating = operator(server.kubeconfig)
  await expect.poll(async () => (await deployments.find(place))?.spec?.replicas, { interval: 200 }).toBe(2)
  await expect
    .poll(() => postgres.sql(`SELECT FROM pg_database WHERE datname = 'homelab_test2'`), { interval: 200 })
    .toHaveLength(1)
  await authentikIs(client, 'Ready', 'True Ready')
  expect(await passwords()).toEqual(before)
  operating.kill('SIGTERM')
})
