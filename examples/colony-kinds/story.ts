// The kinds as a story, in a control plane inside this program: what is made of each, and that nothing is left. Databases need
// PostgreSQL on the machine, jobs a batch system: they are told only where asked for.

import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { silentLog } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { executor } from '@homeostat/executor'
import { openProcessRuntime } from '@homeostat/runtimes'
import { slurm } from '@homeostat/runtimes/batch'
import { testColony } from '@homeostat/testing/colony'
import { startControllers } from './controllers.ts'
import { type Fields, fieldsOf, type Observed } from './resource.ts'

export interface StoryOptions {
  readonly print: (line: string) => void
  /** Where definitions are; those of the documents may be elsewhere than ours. */
  readonly definitions: readonly string[]
  /** The installed PostgreSQL's version. Without it no Database is made. */
  readonly postgres: string | undefined
  /** Ends it early; what it made is removed. */
  readonly signal?: AbortSignal
}

const LOOK_EVERY_MS = 100

export async function tellStory(options: StoryOptions): Promise<void> {
  const closing: (() => unknown)[] = []
  try {
    await play(options, (close) => closing.push(close))
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function play(
  { print, definitions, postgres, signal }: StoryOptions,
  atEnd: (close: () => unknown) => void,
): Promise<void> {
  print('1. A control plane, the kinds, and their controllers start')
  const colony = await testColony()
  atEnd(() => colony.close())
  const { client } = colony
  const directory = mkdtempSync(join(tmpdir(), 'homeostat-kinds-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  // As root, PostgreSQL runs as nobody.
  chmodSync(directory, 0o711)
  atEnd(() => stopServers(databasesIn(directory)))
  const dev = scene(client, signal)
  for (const file of definitions) await dev.create(JSON.parse(readFileSync(file, 'utf8')) as ApiObject)
  const functions = await httpFunction()
  atEnd(functions.close)
  const controllers = startControllers({
    client,
    colony: 'dev',
    log: silentLog,
    directory,
    batch: slurm,
    databases: { directory: databasesIn(directory), runtime: 'local' },
    serverlessHosts: [functions.host],
  })
  atEnd(() => controllers.close())
  await controllers.ready

  print('2. A Workflow of three steps runs, in their order')
  const steps: string[] = []
  const worker = executor({
    client,
    colony: 'dev',
    type: 'worker',
    log: silentLog,
    functions: { step: ({ process }) => void steps.push(process.metadata.labels?.['colonies.io/graph-node'] ?? '') },
  })
  atEnd(() => worker.close())
  const step = (name: string, ...dependsOn: string[]) => ({
    name,
    dependsOn,
    functionSpec: { funcName: 'step', conditions: { executorType: 'worker' } },
  })
  const workflow = { apiVersion: 'automation.colonies.io/v1', kind: 'Workflow', name: 'daily' }
  await dev.make(workflow, { steps: [step('ingest'), step('check', 'ingest'), step('load', 'check')] })
  await dev.until(workflow, ({ phase }) => phase === 'Succeeded')
  print(`   Workflow daily: Succeeded, ${steps.join(', ')}`)

  print('3. A model has one replica, three while predictions wait, and one again')
  const model = { apiVersion: 'ml.colonies.io/v1beta1', kind: 'MLModel', name: 'mood' }
  await dev.make(model, {
    modelUri: 's3://m',
    framework: 'onnx',
    servingConfig: { autoscaling: { minReplicas: 1, maxReplicas: 3 } },
  })
  const deployment = { apiVersion: 'compute.colonies.io/v1', kind: 'ExecutorDeployment', name: 'mood' }
  const replicas = (count: number) => dev.until(deployment, (_, spec) => spec.replicas === count)
  await replicas(1)
  for (let i = 0; i < 6; i++) await dev.make(prediction(i), predictionSpec)
  await replicas(3)
  print('   ExecutorDeployment mood: 3 replicas, 6 predictions wait')
  const predictor = executor({
    client,
    colony: 'dev',
    type: 'mlmodel-mood',
    log: silentLog,
    functions: { predict: () => 'happy' },
  })
  atEnd(() => predictor.close())
  await replicas(1)
  print('   ExecutorDeployment mood: 1 replica')

  print('4. A function somewhere else is busy at first; the queue calls it again')
  await dev.make(
    { apiVersion: 'app.colonies.io/v1', kind: 'ServerlessFunction', name: 'resize' },
    { url: functions.url },
  )
  const call = { apiVersion: 'colonies.io/v1', kind: 'Process', name: 'resize-1' }
  await dev.make(call, {
    funcName: 'invoke',
    kwargs: { function: 'resize', payload: { width: 3 } },
    conditions: { executorType: 'serverless' },
  })
  const called = await dev.until(call, ({ phase }) => phase === 'Succeeded')
  print(`   Process resize-1: Succeeded at attempt ${called.attempt}, ${JSON.stringify(called.output)}`)

  const database = { apiVersion: 'storage.colonies.io/v1', kind: 'Database', name: 'users' }
  if (postgres === undefined) print('5. No PostgreSQL is installed (Debian: postgresql): the Database is left out')
  else {
    print('5. A Database has a PostgreSQL of its own')
    await dev.make(database, { engine: 'postgresql', version: postgres, size: '1Gi', deletionPolicy: 'Delete' })
    const { endpoint, secret } = await dev.until(database, ({ phase }) => phase === 'Running')
    print(
      `   Database users: Running at ${String(endpoint).replace(/:\d+$/, ':PORT')}, its login is in the Secret ${secret}`,
    )
  }

  print('6. Everything is deleted')
  const made = [workflow, model, ...(postgres === undefined ? [] : [database])]
  for (const one of made) await dev.remove(one)
  const { items } = await client.resource('v1', 'Secret').list({ namespace: 'dev' })
  print(`   Secrets of databases: ${items.filter(({ metadata }) => metadata.name?.startsWith('database-')).length}`)
  print(`   data of databases: ${dataIn(databasesIn(directory))}`)
}

const prediction = (index: number) => ({ apiVersion: 'colonies.io/v1', kind: 'Process', name: `prediction-${index}` })
const predictionSpec = { funcName: 'predict', conditions: { executorType: 'mlmodel-mood' } }

/** Where the story was interrupted: servers outlive their controllers. */
async function stopServers(directory: string): Promise<void> {
  if (!existsSync(directory)) return
  const runtime = await openProcessRuntime({ directory: join(directory, 'units') })
  for (const { id } of await runtime.list({})) await runtime.stop(id)
  await runtime.close()
}

function databasesIn(directory: string): string {
  return join(directory, 'databases')
}

function dataIn(directory: string): number {
  const local = join(directory, 'local')
  return existsSync(local) ? readdirSync(local).length : 0
}

interface Name {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

/** Objects of the colony `dev`. */
function scene(client: Client, signal: AbortSignal | undefined) {
  const pause = () => delay(LOOK_EVERY_MS, undefined, signal && { signal })
  const at = ({ apiVersion, kind }: Name) => client.resourceOf<Observed & { spec?: unknown }>(apiVersion, kind)
  const where = ({ name }: Name) => ({ name, namespace: 'dev' })
  /** The kind may not be served yet. */
  const create = async (object: ApiObject): Promise<void> => {
    for (;;) {
      try {
        await client.resourceOf(object.apiVersion ?? '', object.kind ?? '').create(object)
        return
      } catch (error) {
        if (!/does not serve/.test(String(error))) throw error
        await pause()
      }
    }
  }
  return {
    create,
    make: ({ apiVersion, kind, name }: Name, spec: Fields) =>
      create({ apiVersion, kind, metadata: { name, namespace: 'dev' }, spec } as ApiObject),
    async until(one: Name, wanted: (status: Fields, spec: Fields) => boolean): Promise<Fields> {
      for (;;) {
        const found = await at(one).find(where(one))
        const status = fieldsOf(found?.status)
        if (wanted(status, fieldsOf(found?.spec))) return status
        await pause()
      }
    },
    async remove(one: Name): Promise<void> {
      await at(one).delete(where(one))
      while ((await at(one).find(where(one))) !== undefined) await pause()
    },
  }
}

/** Busy at the first call. */
async function httpFunction() {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume()
    calls += 1
    response.writeHead(calls === 1 ? 503 : 200, { 'content-type': 'application/json' })
    response.end(calls === 1 ? '' : '{"size":3}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise<unknown>((resolve) => server.close(resolve))
  }
  return { host, url: `http://${host}/resize`, close }
}
