// The command against a server that the command started: both as programs, which find each other by the kubeconfig.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'

const main = join(import.meta.dirname, '../src/main.ts')
const flags = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']

const definition = {
  apiVersion: 'colonies.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'databases.storage.colonies.io' },
  spec: {
    group: 'storage.colonies.io',
    version: 'v1',
    names: { kind: 'Database', plural: 'databases' },
    scope: 'Namespaced',
    handler: { executorType: 'database-controller', functionName: 'reconcile_database' },
  },
}
const database = {
  apiVersion: 'storage.colonies.io/v1',
  kind: 'Database',
  metadata: { name: 'users', namespace: 'dev' },
  spec: { engine: 'postgres' },
}
const functions = `export default {
  reconcile_database: ({ kwargs, status, log }) => {
    log(kwargs.metadata.name + ' is ' + kwargs.spec.engine)
    status({ endpoint: 'postgres://' + kwargs.metadata.name })
  },
}`

function start(folder: string, ...args: string[]) {
  const { PATH, NODE_OPTIONS } = process.env
  const env = { PATH, NODE_OPTIONS, HOME: folder, NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
  const child = spawn(process.execPath, [...flags, main, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const shown = { out: '', error: '' }
  child.stdout.on('data', (chunk) => (shown.out += chunk))
  child.stderr.on('data', (chunk) => (shown.error += chunk))
  return { child, shown, ended: once(child, 'close').then(([code]) => ({ code: code as number, ...shown })) }
}

/** Until it has said something that fits. */
async function says(child: ChildProcess, shown: { out: string }, pattern: RegExp): Promise<void> {
  while (!pattern.test(shown.out)) {
    if (child.exitCode !== null || child.stdout === null) throw new Error(`it ended after saying ${shown.out}`)
    await once(child.stdout, 'data')
  }
}

test('a definition, a resource, its executor and their ends, with nothing but the command', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'definition.json'), JSON.stringify(definition))
  writeFileSync(join(folder, 'database.json'), JSON.stringify(database))
  writeFileSync(join(folder, 'functions.mjs'), functions)
  const server = start(folder, 'up', '--port', '0', '--store', 'memory', '--log-level', 'warn', '--runtime', 'none')
  onTestFinished(async () => {
    server.child.kill()
    await server.ended
  })
  await says(server.child, server.shown, /is ready/)
  const homeostat = (...args: string[]) => start(folder, ...args).ended

  expect((await homeostat('resource', 'create', '-f', 'database.json')).error).toMatch(/`homeostat crd create -f/)
  expect(await homeostat('crd', 'create', '-f', 'definition.json')).toMatchObject({ code: 0, error: '' })
  const executor = start(
    folder,
    'executor',
    'run',
    '--type',
    'database-controller',
    '--module',
    'functions.mjs',
    '-n',
    'dev',
  )
  onTestFinished(() => void executor.child.kill('SIGKILL'))
  await says(executor.child, executor.shown, /is online in dev/)
  expect(await homeostat('resource', 'create', '-f', 'database.json', '--wait')).toEqual({
    code: 0,
    out: 'Database/users created in dev and ready\n',
    error: '',
  })
  const found = await homeostat('resource', 'get', 'users', '-n', 'dev', '-o', 'json')
  expect(JSON.parse(found.out)).toMatchObject({ status: { endpoint: 'postgres://users', observedGeneration: 1 } })
  expect(await homeostat('crd', 'delete', 'database', '--cascade')).toMatchObject({ code: 0, error: '' })

  executor.child.kill('SIGTERM')
  const { code, error } = await executor.ended
  // Its start also ends what crashed executors of other tests have left on this machine, and says so.
  expect([code, error.replace(/^ended \d+ processes that an executor had left running\n/, '')]).toEqual([0, ''])
  expect((await homeostat('executor', 'list', '-n', 'dev')).error).toMatch(/^there are no executors/)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(await homeostat('crd', 'list')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^homeostat: no server answers at http:\S+; start one with `homeostat up`.*\n$/),
  })
})
