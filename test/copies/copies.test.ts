// Programs with two copies of our packages: what one copy throws or returns is recognized by the other.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundledCommand, bundledCommand } from '../bundle/bundled-command.ts'
import { call } from '../http-call.ts'
import { ready } from '../server-process.ts'
import { installCopies } from './package-copies.ts'

let home: string
let command: BundledCommand
beforeAll(async () => {
  command = await bundledCommand()
  home = mkdtempSync(join(tmpdir(), 'homeostat-copies-'))
  for (const name of ['gadgets', 'project'])
    cpSync(join(import.meta.dirname, name), join(home, name), { recursive: true })
  installCopies(join(home, 'gadgets'), 'operator')
  installCopies(join(home, 'gadgets/parts'), 'operator')
  installCopies(join(home, 'project'), 'operator', 'apiserver')
  installCopies(join(home, 'project/other'), 'testing')
})
afterAll(() => {
  command[Symbol.dispose]()
  rmSync(home, { recursive: true, force: true })
})

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] }
}

test('the bundle understands an add-on with its own copies, and the library that the add-on uses', async () => {
  const directory = temporaryFolder()
  const child = command.spawn(['up', '--port', '0', '--data-dir', directory, '--with', join(home, 'gadgets')])
  const server = await ready(child, directory)
  const objects = (resource: string) => `${server.url}/apis/copies.dev/v1/namespaces/default/${resource}`
  const create = (resource: string, kind: string, name: string, part: string) =>
    call(objects(resource), 'POST', { apiVersion: 'copies.dev/v1', kind, metadata: { name }, spec: { part } })
  const reason = async (resource: string, name: string, wanted = 'Ready') => {
    const { status } = (await call(`${objects(resource)}/${name}`)).body as unknown as Conditioned
    return status?.conditions?.find(({ type }) => type === wanted)?.reason
  }

  const refused = await create('gadgets', 'Gadget', 'forbidden', 'good')
  expect([refused.code, refused.body.message]).toEqual([403, expect.stringContaining('not by this name')])
  expect((await create('gadgets', 'Gadget', 'good', 'good')).code).toBe(201)
  const manual = await call(`${objects('gadgets')}/good/manual`)
  expect([manual.code, manual.body.reason]).toEqual([404, 'NotFound'])
  await expect.poll(() => reason('gadgets', 'good')).toBe('Reconciled')

  for (const [resource, kind] of [['gadgets', 'Gadget'] as const, ['assemblies', 'Assembly'] as const]) {
    await create(resource, kind, 'missing', 'missing')
    await create(resource, kind, 'large', 'large')
    await expect.poll(() => reason(resource, 'missing')).toBe('NotYet')
    await expect.poll(() => reason(resource, 'large')).toBe('NeverFits')
  }

  expect(await reason('assemblies', 'missing', 'Colour')).toBe('none')
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'colour' }, data: { colour: 'Blue' } }
  await call(`${server.url}/api/v1/namespaces/default/configmaps`, 'POST', map)
  await expect.poll(() => reason('assemblies', 'missing', 'Colour')).toBe('Blue')

  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('gadgets_recognized_total{error="NotFound"} 1')
  expect(metrics).toContain('gadgets_recognized_total{error="AlreadyExists"} 1')
  expect(server.output().stderr).not.toMatch(/"level":"?(50|error)/)
})

test('a project understands the copies that a dependency brought', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(home, 'project/main.ts')])
  expect(JSON.parse(stdout)).toEqual({
    waiting: 'NotYet',
    compacted: 410,
    permanent: { result: 'Failed', retryable: false },
    unreachable: { warning: 'the server is not reached; the operator waits for it', recognized: true },
  })
})
