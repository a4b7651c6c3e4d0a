// The example in processes of their own, which are killed while everything is under way: the server, then the controllers.
// Every kind comes to its end state, and nothing is made twice.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { executor } from '@homeostat/executor'
import { openProcessRuntime } from '@homeostat/runtimes'
import { type SlurmCluster, slurmCluster, slurmMissing } from '@homeostat/runtimes/testing-slurm'
import { expect, onTestFinished, test } from 'vitest'
import { spawnScript, startServer } from '../../homelab/systems/processes.fixture.ts'
import { publicFolder } from '../public-folder.fixture.ts'
import { fieldsOf, type Observed } from '../resource.ts'
import { read } from '../stage.fixture.ts'
import { needPostgres } from './need-postgres.fixture.ts'

const installed = needPostgres()
const missing = slurmMissing() ?? (installed === undefined ? 'PostgreSQL' : undefined)
const DEFINITIONS = ['definitions', '../executor-deployment/definitions']
const DATABASE = 'storage.colonies.io/v1/Database'
const JOB = 'hpc.research.org/v1alpha1/SlurmJob'
const WORKFLOW = 'automation.colonies.io/v1/Workflow'
const MODEL = 'ml.colonies.io/v1beta1/MLModel'
const FUNCTION = 'app.colonies.io/v1/ServerlessFunction'
const POOL = 'app.colonies.io/v1/WorkerPool'
const DEPLOYMENT = 'compute.colonies.io/v1/ExecutorDeployment'
const PROCESS = 'colonies.io/v1/Process'

test.skipIf(missing)('it survives that the server is killed, and that the controllers are', async () => {
  const folder = publicFolder()
  onTestFinished(() => endDatabases(folder))
  const cluster = await slurmCluster()
  onTestFinished(() => cluster.close())
  const data = join(folder, 'data')
  let server = await startServer(data)
  const { port, origin } = new URL(server.url)
  const client = createClient(nodeTransport({ url: origin }))
  onTestFinished(() => client.close())
  const dev = scene(client)
  await dev.define()
  const functions = await heldFunction()
  const controllers = () => startControllers({ kubeconfig: server.kubeconfig, folder, cluster, host: functions.host })
  let working = controllers()
  const worker = heldWorker(client)

  const release = join(cluster.directory, 'release')
  const ran = join(cluster.directory, 'ran')
  const script = `echo once >> ${ran}; until [ -e ${release} ]; do sleep 0.2; done; echo done`
  await dev.make(JOB, 'simulation', { partition: 'main', nodes: 1, script })
  const step = (name: string, ...dependsOn: string[]) => ({
    name,
    dependsOn,
    functionSpec: { funcName: 'step', conditions: { executorType: 'worker' } },
  })
  await dev.make(WORKFLOW, 'daily', { steps: [step('ingest'), step('check', 'ingest'), step('load', 'check')] })
  await dev.make(DATABASE, 'users', { engine: 'postgresql', version: installed, size: '1Gi', deletionPolicy: 'Delete' })
  await dev.make(MODEL, 'mood', { modelUri: 's3://m', framework: 'onnx' })
  await dev.create(read('instances/worker-pool.json'))
  await dev.create(read('instances/web-service.json'))
  await dev.make(FUNCTION, 'resize', { url: functions.url })
  await dev.make(PROCESS, 'resize-1', {
    funcName: 'invoke',
    kwargs: { function: 'resize' },
    conditions: { executorType: 'serverless' },
  })
  await expect.poll(() => dev.status(JOB, 'simulation'), { interval: 200 }).toMatchObject({ phase: 'Running' })
  await expect.poll(() => dev.status(DATABASE, 'users'), { interval: 200 }).toMatchObject({ phase: 'Running' })
  await expect.poll(() => worker.steps, { interval: 200 }).toEqual(['ingest'])
  await expect.poll(() => functions.keys.length, { interval: 200 }).toBe(1)
  await expect.poll(() => dev.names(DEPLOYMENT), { interval: 200 }).toEqual(['mood', 'shop', 'thumbnails'])
  const replicas = (name: string) => expect.poll(() => dev.spec(DEPLOYMENT, name), { interval: 200 })
  const before = await madeBy(dev, folder)

  await server.kill()
  server = await startServer(data, port)
  // The same controllers go on.
  await dev.change(POOL, 'thumbnails', { replicas: 3 })
  await replicas('thumbnails').toMatchObject({ replicas: 3 })
  working.kill('SIGKILL')
  await dev.change(MODEL, 'mood', { servingConfig: { autoscaling: { minReplicas: 2, maxReplicas: 3 } } })
  await dev.change(POOL, 'thumbnails', { replicas: 5 })
  writeFileSync(release, '')
  functions.answer()
  working = controllers()
  worker.go()

  await expect
    .poll(() => dev.status(WORKFLOW, 'daily'), { interval: 200 })
    .toMatchObject({ phase: 'Succeeded', nodes: { total: 3, succeeded: 3 } })
  await expect
    .poll(() => dev.status(JOB, 'simulation'), { interval: 200 })
    .toMatchObject({ phase: 'Succeeded', exitCode: 0, output: 'done\n', jobId: before.jobId })
  await expect
    .poll(() => dev.status(PROCESS, 'resize-1'), { interval: 200 })
    .toMatchObject({ phase: 'Succeeded', output: { size: 3 } })
  await replicas('mood').toMatchObject({ replicas: 2 })
  await replicas('thumbnails').toMatchObject({ replicas: 5 })
  await replicas('shop').toMatchObject({ image: 'shop:1' })
  expect(await madeBy(dev, folder)).toEqual(before)
  expect(readFileSync(ran, 'utf8')).toBe('once\n')
  expect(new Set(worker.steps)).toEqual(new Set(['ingest', 'check', 'load']))
  // The call that ended with the controllers was made again, as the same.
  expect(functions.keys.length).toBeGreaterThan(1)
  expect(new Set(functions.keys).size).toBe(1)
  for (const [kind, name] of [
    [DATABASE, 'users'],
    [JOB, 'simulation'],
    [WORKFLOW, 'daily'],
    [MODEL, 'mood'],
  ] as const)
    await dev.remove(kind, name)
  expect((await databaseUnits(folder)).length).toBe(0)
  working.kill('SIGTERM')
})

/** What must be the same after everything was killed. */
async function madeBy(dev: Scene, folder: string) {
  const secret = await dev.client.resource('v1', 'Secret').get({ name: 'database-users', namespace: 'dev' })
  return {
    jobId: (await dev.status(JOB, 'simulation')).jobId,
    graphs: await dev.names('colonies.io/v1/ProcessGraph'),
    deployments: await dev.names(DEPLOYMENT),
    password: secret.data?.password,
    servers: (await databaseUnits(folder)).map(({ pid }) => pid),
    data: readdirSync(join(folder, 'databases/local')),
  }
}

interface Parts {
  readonly kubeconfig: string
  readonly folder: string
  readonly cluster: SlurmCluster
  readonly host: string
}

function startControllers({ kubeconfig, folder, cluster, host }: Parts) {
  return spawnScript('examples/colony-kinds/main.ts', ['dev'], {
    KUBECONFIG: kubeconfig,
    HOMEOSTAT_LOG_LEVEL: 'error',
    HOMEOSTAT_BATCH_DIRECTORY: cluster.directory,
    HOMEOSTAT_DATABASE_DIRECTORY: join(folder, 'databases'),
    HOMEOSTAT_SERVERLESS_HOSTS: host,
    SLURM_CONF: cluster.programs.submit?.[1]?.split('=')[1],
  })
}

type Scene = ReturnType<typeof scene>

/** Objects of the colony `dev`, by `group/version/Kind`. */
function scene(client: Client) {
  const at = (id: string) => {
    const slash = id.lastIndexOf('/')
    return client.resourceOf<Observed & { spec?: unknown }>(id.slice(0, slash), id.slice(slash + 1))
  }
  const where = (name: string) => ({ name, namespace: 'dev' })
  // The server may be away.
  const find = (id: string, name: string) =>
    at(id)
      .find(where(name))
      .catch(() => undefined)
  /** Its kind may not be served yet. */
  const create = ({ metadata, ...rest }: ApiObject) =>
    until(() => at(`${rest.apiVersion}/${rest.kind}`).create({ ...rest, metadata: { ...metadata, namespace: 'dev' } }))
  return {
    client,
    create,
    async define() {
      await client
        .resource('v1', 'Namespace')
        .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } })
      for (const folder of DEFINITIONS)
        for (const file of readdirSync(join(import.meta.dirname, '..', folder))) {
          const definition = read(join(folder, file))
          await client.resourceOf(definition.apiVersion ?? '', definition.kind ?? '').create(definition)
        }
    },
    make(id: string, name: string, spec: object) {
      const slash = id.lastIndexOf('/')
      return create({
        apiVersion: id.slice(0, slash),
        kind: id.slice(slash + 1),
        metadata: { name },
        spec,
      } as ApiObject)
    },
    change: (id: string, name: string, spec: object) => at(id).patch(where(name), { spec }),
    status: async (id: string, name: string) => fieldsOf((await find(id, name))?.status),
    spec: async (id: string, name: string) => fieldsOf((await find(id, name))?.spec),
    async names(id: string) {
      const { items } = await at(id).list({ namespace: 'dev' })
      return items.map(({ metadata }) => metadata.name ?? '').toSorted()
    },
    async remove(id: string, name: string) {
      await at(id).delete(where(name))
      await expect.poll(() => at(id).find(where(name)), { interval: 200 }).toBeUndefined()
    },
  }
}

/** Does its first step at once, and the second when it may. */
function heldWorker(client: Client) {
  const steps: string[] = []
  const gate = Promise.withResolvers<void>()
  const running = executor({
    client,
    colony: 'dev',
    type: 'worker',
    log: silentLog,
    functions: {
      async step({ process }) {
        const node = process.metadata.labels?.['colonies.io/graph-node'] ?? ''
        if (node === 'check') await gate.promise
        steps.push(node)
      },
    },
  })
  onTestFinished(async () => {
    gate.resolve()
    await running.close()
  })
  return { steps, go: gate.resolve }
}

/** Answers no call before it may. */
async function heldFunction() {
  const keys: unknown[] = []
  const gate = Promise.withResolvers<void>()
  const listening = createServer(async (request, response) => {
    request.resume()
    keys.push(request.headers['idempotency-key'])
    await gate.promise
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"size":3}')
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    gate.resolve()
    listening.closeAllConnections()
    listening.close()
  })
  const host = `127.0.0.1:${(listening.address() as AddressInfo).port}`
  return { host, url: `http://${host}/resize`, keys, answer: gate.resolve }
}

/** The processes, past the controllers. */
async function databaseUnits(folder: string) {
  const runtime = await openProcessRuntime({ directory: join(folder, 'databases/units') })
  const units = await runtime.list({})
  await runtime.close()
  return units
}

async function endDatabases(folder: string): Promise<void> {
  const runtime = await openProcessRuntime({ directory: join(folder, 'databases/units') })
  for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
  await runtime.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
