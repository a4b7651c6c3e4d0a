// Every program of the documents runs as printed, in a stranger's project beside the installed server. One that works until it is
// stopped is stopped once it works.

import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { programs } from '../docs/programs.ts'
import { call } from '../http-call.ts'
import { ready } from '../server-process.ts'
import { type PackedProject, packedProject } from './packed-project.ts'

/** Files that are only compiled (types.test.ts), and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'docs/operators/docs-operators-md-ts-9.ts': 'one line of a reconcile',
  'docs/operators/docs-operators-md-ts-10.ts': 'a loop in a program that runs an operator',
}
const SERVES = /^(?:const \w+ = )?(?:run|executor)\(/m
const WORKS = /the (?:operator|executor) works/
/** Namespaces that the pages speak of. */
const COLONIES = ['lab', 'production-colony']

/** Pages have a Site each, with fields of their own. */
const SITES = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sites.ex.io'

let project: PackedProject
let url: string
beforeAll(async () => {
  project = await packedProject({
    dependencies: ['@homeostat/operator', '@homeostat/executor', '@homeostat/client', '@homeostat/meta', 'zod@^4.1'],
    devDependencies: ['homeostat', '@homeostat/testing', 'vitest@5'],
    // Another program of the machine may have the port.
    files: Object.fromEntries([...programs()].map(([file, text]) => [file, text.replace('port: 8080', 'port: 0')])),
  })
  ;({ url } = await ready(project.spawn('homeostat', ['up', '--port', '0']), join(project.folder, '.homeostat')))
  for (const name of COLONIES) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    expect((await call(`${url}/api/v1/namespaces`, 'POST', namespace)).code).toBe(201)
  }
  // The credential of docs/executors.md.
  await project.run('npx', ['homeostat', 'executor', 'create', 'worker-3', '--type', 'python', '-n', 'lab'])
})
beforeEach(async () => {
  await call(`${url}${SITES}`, 'DELETE')
  await expect.poll(async () => (await call(`${url}${SITES}`)).code).toBe(404)
})
afterAll(() => project[Symbol.dispose]())

test('what is not run is still there', () => {
  expect(Object.keys(NOT_RUN).filter((file) => !programs().has(file))).toEqual([])
})

test('programs that are tests pass', async () => {
  const { stdout } = await project.run('npx', ['vitest', 'run'])
  expect(stdout).toContain(`${[...programs().keys()].filter((file) => file.endsWith('.test.ts')).length} passed`)
})

const others = [...programs()].filter(([file]) => NOT_RUN[file] === undefined && !file.endsWith('.test.ts'))

test.each(others.filter(([, text]) => !SERVES.test(text)))('%s ends', async (file) => {
  await project.run('node', [file])
})

test.each(others.filter(([, text]) => SERVES.test(text)))('%s works until it is stopped', async (file) => {
  const child = project.spawn('node', [file], { env: { PORT: '0' } })
  const ended = once(child, 'close')
  let printed = ''
  const works = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        printed += chunk
        if (WORKS.test(printed)) resolve()
      })
    }
  })
  await Promise.race([works, ended])
  child.kill('SIGTERM')
  await ended
  expect(printed).toMatch(WORKS)
})
