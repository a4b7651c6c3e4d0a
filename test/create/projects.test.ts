// The projects that `homeostat init` writes, outside of the clone and on its sources: their tests pass, their lint is content, and
// their programs make the example ready on a real server. test/packed does the same with installed packages.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { createClient, type LooseObject } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { expect, onTestFinished, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { startServer } from '../server-process.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const onSources = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']

/** Names that would break code which is not careful with them: `import` is a word of the language. */
const PROJECTS = [
  { template: 'functional', kind: 'Import', plural: 'imports' },
  { template: 'class', kind: 'HTTPRoute', plural: 'httproutes' },
  { template: 'executor', kind: 'Website', plural: 'websites' },
]

async function project(template: string, kind: string, name = 'shop'): Promise<string> {
  const folder = join(temporaryFolder(), name)
  const words = ['--template', template, '--kind', kind, '--group', 'ex.io', '--no-install']
  expect(await homeostat('init', folder, ...words)).toMatchObject({ code: 0, stderr: '' })
  symlinkSync(modules, join(folder, 'node_modules'))
  return folder
}

function runNode(folder: string, ...args: readonly string[]) {
  // A test runner tells its programs that they are run by it, and they then print for it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return promisify(execFile)(process.execPath, args, { cwd: folder, env })
}

function startOperator(folder: string, kubeconfig: string): ChildProcess {
  const child = spawn(process.execPath, [...onSources, 'src/main.ts'], {
    cwd: folder,
    env: { ...process.env, KUBECONFIG: kubeconfig, HEALTH_PORT: '0', HOMEOSTAT_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function lint(folder: string) {
  return runNode(folder, join(modules, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings')
}

test.each(PROJECTS)(
  'a project with the template $template passes its tests and its lint',
  async ({ template, kind }) => {
    const folder = await project(template, kind)
    const { stdout } = await runNode(folder, ...onSources, '--test', '--test-reporter=tap')
    expect(stdout).toMatch(/^# pass [34]$/m)
    await lint(folder)
  },
)

test.each(PROJECTS)('synth knows all rights that the tests of $template used', async ({ template, kind }) => {
  const folder = await project(template, kind)
  await runNode(folder, ...onSources, '--test')
  const main = join(import.meta.dirname, '../../packages/cli/src/main.ts')
  const { stderr } = await runNode(folder, ...onSources, main, 'synth')
  expect(stderr).toBe('')
  expect(readdirSync(join(folder, '.homeostat'))).toContain('access.jsonl')
  expect(readdirSync(join(folder, 'deploy'))).toContain('rbac.yaml')
})

test.each(PROJECTS)(
  'the files of $template are formatted, however long the names in them are',
  async ({ template }) => {
    for (const length of [1, 40]) await lint(await project(template, 'K'.padEnd(length, 'k'), 'n'.padEnd(length, 'n')))
  },
)

test.each(PROJECTS)('the program of $template makes the example ready, and ends when asked', async (given) => {
  const folder = await project(given.template, given.kind)
  const server = await startServer(temporaryFolder())
  const client = createClient(nodeTransport({ url: server.url }))
  onTestFinished(() => client.close())
  const operator = startOperator(folder, server.kubeconfig)
  const [file = ''] = readdirSync(join(folder, 'examples'))
  const apply = () =>
    client.request({
      method: 'PATCH',
      path: `/apis/ex.io/v1/namespaces/default/${given.plural}/hello?fieldManager=test`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: readFileSync(join(folder, 'examples', file), 'utf8'),
    })
  await expect.poll(apply).toMatchObject({ status: 201 })
  const objects = client.resourceOf<LooseObject>('ex.io/v1', given.kind)
  const hello = { name: 'hello', namespace: 'default' }
  await expect
    .poll(async () => (await objects.get(hello)).status?.conditions)
    .toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]))
  operator.kill('SIGTERM')
  expect(await once(operator, 'close')).toEqual([0, null])
})
