// `homeostat types` against our own server, with the Application of the example.

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startApiServer } from '@homeostat/apiserver'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { KubeObject } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { applicationDefinition } from './application.fixture.ts'

const root = join(import.meta.dirname, '../../../..')
let url = ''
let close = async () => {}

beforeAll(async () => {
  const store = new MemoryStore()
  const definitions = [applicationDefinition as KubeObject]
  const server = await startApiServer({ host: '127.0.0.1', port: 0, store, definitions })
  url = `http://127.0.0.1:${server.address.port}`
  close = async () => {
    await server.close()
    await store.close()
  }
})
afterAll(() => close())

async function types(...argv: string[]) {
  const shown = { code: 0, out: '', error: '' }
  shown.code = await run(['types', '--server', url, ...argv], {
    env: {},
    out: (text) => {
      shown.out += text
    },
    error: (text) => {
      shown.error += text
    },
  })
  return shown
}

test('the types of the Application are those of the golden file', async () => {
  const { code, out } = await types()
  expect(code).toBe(0)
  await expect(out).toMatchFileSnapshot('./types.golden')
})

test('a file can be named, and groups with or without their version', async () => {
  const file = join(temporaryFolder(), 'types.ts')
  const { out } = await types('--out', file, '--group', 'cloudnative.elide.dev/v1,coordination.k8s.io')
  expect(out).toBe(`the types of 2 kinds were written to ${file}\n`)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('export interface Lease {')
  expect(text).toContain("'cloudnative.elide.dev/v1/Application': Application\n")
  // The client knows it already.
  expect(text).not.toContain("'coordination.k8s.io/v1/Lease':")
  expect((await types('--group', 'core')).out).toContain('export interface Pod {')
})

test.each([
  [['--group', 'nowhere'], /the server does not serve nowhere; it serves v1, .*apps\/v1/],
  [['--server', 'http://127.0.0.1:1'], /no server answers at http:\/\/127\.0\.0\.1:1; start one with `homeostat up`/],
  [['--server', 'somewhere'], /"somewhere" is not the URL of a server/],
  [['--out', '/nowhere/types.ts'], /\/nowhere\/types\.ts could not be written/],
  [['now'], /unexpected argument 'now'/],
])('%j is refused in one line', async (argv, message) => {
  const { code, error } = await types(...argv)
  expect(error).toMatch(message)
  expect(error.trimEnd()).not.toContain('\n')
  expect(code).toBeGreaterThan(0)
})

test('what is generated compiles, strictly, and types the client', async () => {
  const path = temporaryFolder()
  const program = `
import type { Client } from '@homeostat/client'
import type { Application } from './application.ts'

export async function use(client: Client): Promise<Application> {
  const applications = client.resource('cloudnative.elide.dev/v1', 'Application')
  const { status } = await applications.get({ name: 'a', namespace: 'b' })
  const phase: 'Pending' | 'Running' | 'Failed' | 'Succeeded' | undefined = status?.phase
  // @ts-expect-error: there is no such phase
  const wrong: boolean = phase === 'Sleeping'
  // @ts-expect-error: there is no such strategy
  await applications.create({ spec: { image: 'x', strategy: 'Never', replicas: wrong ? 1 : 2 } })
  return applications.create({ spec: { image: 'x', config: { a: 'b' } } })
}
`
  const source = (name: string) => [join(root, 'packages', name, 'src/index.ts')]
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'es2025.collection', 'es2025.iterator', 'esnext.array', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    paths: Object.fromEntries(['client', 'meta', 'base'].map((name) => [`@homeostat/${name}`, source(name)])),
  }
  writeFileSync(join(path, 'application.ts'), (await types()).out)
  // All of it at once, so that no name is taken twice.
  writeFileSync(join(path, 'everything.ts'), (await types('--group', 'core,apps,autoscaling,batch,events.k8s.io')).out)
  writeFileSync(join(path, 'use.ts'), program)
  writeFileSync(join(path, 'package.json'), '{"type":"module"}')
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', path]).catch((error) => error)
  expect(stdout).toBe('')
})
