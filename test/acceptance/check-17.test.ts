// Check 17: `crd create -f`, `crd list`, `resource create -f`, `resource get NAME -n NS` and `resource list -n NS` work on the shipped
// definitions and instances; creating an instance before its definition fails with a clear message.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { startServer } from '../server-process.ts'
import { runCommand } from './command.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/executor-deployment')

interface Document {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly spec: { readonly names?: { readonly kind: string } }
}

function documents(folder: string): { path: string; document: Document }[] {
  return readdirSync(join(EXAMPLE, folder)).map((name) => {
    const path = join(EXAMPLE, folder, name)
    return { path, document: JSON.parse(readFileSync(path, 'utf8')) as Document }
  })
}

test('check 17', async () => {
  const { url } = await startServer(temporaryFolder(), ['--runtime', 'none'])
  const homeostat = (...words: string[]) => runCommand([...words, '--server', url])
  const instances = documents('instances')
  const definitions = documents('definitions')
  const kinds = definitions.map(({ document }) => document.spec.names?.kind ?? '')
  expect(kinds.sort()).toEqual(['Database', 'ExecutorDeployment', 'MLModel', 'SlurmJob', 'Workflow'])

  const early = await homeostat('resource', 'create', '-f', instances[0]?.path ?? '')
  expect(early.code).not.toBe(0)
  expect(early.error).toContain(instances[0]?.document.kind)
  expect(early.error).toMatch(/definition/i)

  for (const { path } of definitions) expect(await homeostat('crd', 'create', '-f', path)).toMatchObject({ code: 0 })
  const { out } = await homeostat('crd', 'list')
  for (const kind of kinds) expect(out).toContain(kind)

  for (const { path, document } of instances) {
    const { name, namespace } = document.metadata
    expect(await homeostat('resource', 'create', '-f', path)).toMatchObject({ code: 0 })
    const got = await homeostat('resource', 'get', name, '-n', namespace)
    expect([got.code, got.out]).toEqual([0, expect.stringMatching(new RegExp(`${document.kind} +${name} `))])
    expect((await homeostat('resource', 'list', '-n', namespace)).out).toContain(name)
  }
})
