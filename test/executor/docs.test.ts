// docs/executors.md as it stands: its commands are run in their order and answer what it shows, its programs work.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { until } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { LooseObject } from '@homeostat/client'
import type { Process } from '@homeostat/executor'
import { executorAccount } from '@homeostat/executor/account'
import { writeCredential } from '@homeostat/executor/credential'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test } from 'vitest'
import { need } from '../tools.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/executors.md'), 'utf8')
const MARK = '--- next block ---'

interface Block {
  readonly language: string
  readonly code: string
}

function blocks(): Block[] {
  const found = page.matchAll(/^```(\w+)\n(.*?)^```$/gms)
  return [...found].map(([, language = '', code = '']) => ({ language, code }))
}

async function start() {
  const colony = await testColony({ listen: true })
  onTestFinished(() => colony.close())
  const folder = temporaryFolder()
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigOf(colony.url ?? ''))
  const command = join(folder, 'homeostat')
  const main = join(root, 'packages/cli/src/main.ts')
  const flags = '--conditions=homeostat-source --disable-warning=ExperimentalWarning'
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${flags} ${main} "$@"\n`, { mode: 0o755 })
  const PATH = `${folder}:${process.env.PATH}`
  const env = { ...process.env, PATH, SERVER: colony.url, KUBECONFIG: kubeconfig }
  return { colony, folder, env }
}

/** The file that `homeostat executor create` writes. */
async function credential({ client, url = '' }: TestColony, file: string, name: string): Promise<string> {
  const { account, role, binding } = executorAccount({ namespace: 'lab', name, type: 'python' })
  for (const object of [account, role, binding]) await client.resourceOf(object.apiVersion, object.kind).create(object)
  const path = `/api/v1/namespaces/lab/serviceaccounts/executor-${name}/token`
  const headers = { 'content-type': 'application/json' }
  const answer = await client.requestJson({ method: 'POST', path, headers, body: '{"spec": {}}' })
  const { token } = (answer as unknown as { status: { token: string } }).status
  writeCredential(file, { server: url, ca: undefined, colony: 'lab', executor: name, type: 'python', token })
  return file
}

function kubeconfigOf(server: string): string {
  const context = { name: 'c', context: { cluster: 'c', user: 'u' } }
  const clusters = [{ name: 'c', cluster: { server } }]
  const users = [{ name: 'u', user: {} }]
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users,
    contexts: [context],
    'current-context': 'c',
  })
}

test('the commands answer what is shown', async () => {
  const { folder, env } = await start()
  const all = blocks()
  const commands = all.filter(({ language }) => language === 'bash')
  const script = commands.map(({ code }) => `${code}\necho; echo '${MARK}'`).join('\n')
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  const answers = output.split(`${MARK}\n`)
  expect(errors).toBe('')
  expect(answers).toHaveLength(commands.length + 1)
  for (const [index, { code, language }] of all.entries()) {
    if (language !== 'json' && language !== 'text') continue
    const before = all.slice(0, index).filter((one) => one.language === 'bash').length
    const answer = answers[before - 1] ?? ''
    if (language === 'text') expect(answer.trim()).toBe(code.trim())
    else expect(JSON.parse(answer), commands[before - 1]?.code ?? '').toMatchObject(JSON.parse(code))
  }
})

/** Runs a program of the page, as a file beside the packages would be run. */
function run(code: string, env: NodeJS.ProcessEnv): { child: ChildProcess; ended: Promise<number | null> } {
  const options = [
    '--conditions=homeostat-source',
    '--input-type=module-typescript',
    '--disable-warning=ExperimentalWarning',
  ]
  const child = spawn(process.execPath, [...options, '-e', code], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: new Promise((resolve) => child.on('exit', resolve)) }
}

test('the executor and the operator of the page do their work and end when told', async () => {
  const { colony, env, folder } = await start()
  const { client } = colony
  await client.resource('v1', 'Namespace').create({ metadata: { name: 'lab' } })
  const CREDENTIAL = await credential(colony, join(folder, 'worker-3.kubeconfig'), 'worker-3')
  const [sdk, pulled] = blocks().filter(({ language }) => language === 'ts')
  const programs = [run(sdk?.code ?? '', { ...env, CREDENTIAL }), run(pulled?.code ?? '', env)]
  const place = (name: string) => ({ name, namespace: 'lab' })
  const processes = client.resourceOf<Process>('colonies.io/v1', 'Process')
  const conditions = { executorType: 'python' }
  await processes.create({ metadata: place('sum'), spec: { funcName: 'add', args: [3, 4], conditions } })
  await until(async () => expect((await processes.get(place('sum'))).status.output).toEqual({ sum: 7 }))
  expect((await processes.get(place('sum'))).status.executor).toBe('worker-3')
  const notes = client.resourceOf<LooseObject>('example.com/v1', 'Note')
  await until(() => notes.create({ metadata: place('n'), spec: { text: 'hello' } }))
  const maps = client.resource('v1', 'ConfigMap')
  await until(async () => expect((await maps.get(place('n'))).data).toEqual({ text: 'hello' }))
  for (const { child } of programs) child.kill('SIGTERM')
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0])
  expect((await client.resourceOf('colonies.io/v1', 'Executor').list()).items).toEqual([])
})

test.skipIf(need('python3').missing)('the program in Python does its work with its credential', async () => {
  const { colony, env, folder } = await start()
  const { client } = colony
  await client.resource('v1', 'Namespace').create({ metadata: { name: 'lab' } })
  const CREDENTIAL = await credential(colony, join(folder, 'worker-2.kubeconfig'), 'worker-2')
  const [program] = blocks().filter(({ language }) => language === 'python')
  const child = spawn('python3', ['-c', program?.code ?? ''], {
    env: { ...env, CREDENTIAL },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const processes = client.resourceOf<Process>('colonies.io/v1', 'Process')
  const sum = { name: 'sum', namespace: 'lab' }
  const conditions = { executorType: 'python' }
  await processes.create({ metadata: sum, spec: { funcName: 'add', args: [3, 4], conditions } })
  await until(async () => expect((await processes.get(sum)).status).toMatchObject({ output: 7, executor: 'worker-2' }))
})
