// Options of apply, delete and diff on a real server: what is named with -k, a dry run of the client, and what is refused.

import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

const config = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
})

test('a dry run of the client sends nothing, and tells what would be', async () => {
  const dry = (verb: string, object: object, ...more: string[]) =>
    command.withInput(object, verb, '--dry-run=client', '-f', '-', ...more)
  expect((await dry('apply', config('local', { a: '1' }))).out).toBe('configmap/local created (dry run)\n')
  expect(await dry('delete', config('local', {}))).toMatchObject({
    code: 1,
    error: 'standard input:1: Error from server (NotFound): configmaps "local" not found\n',
  })
  await command.withInput(config('local', { a: '1', b: '2' }), 'apply', '-f', '-')
  expect((await dry('apply', config('local', { a: '1' }))).out).toBe('configmap/local unchanged (dry run)\n')
  expect((await dry('apply', config('local', { a: '3' }))).out).toBe('configmap/local configured (dry run)\n')
  const { out } = await dry('apply', config('local', { a: '3' }), '-o', 'yaml')
  expect(out).toMatch(/^data:\n {2}a: "3"\n {2}b: "2"\n/m)
  expect((await dry('delete', config('local', {}))).out).toBe('configmap "local" deleted (dry run)\n')
  expect((await command.client.resource('v1', 'ConfigMap').get({ name: 'local', namespace: 'default' })).data).toEqual({
    a: '1',
    b: '2',
  })
  expect((await dry('apply', config('local', {}), '--server-side')).error).toMatch(/did you mean --dry-run=server/)
})

test('a Kustomize base is applied, compared and deleted as its files are', async () => {
  const folder = temporaryFolder({
    'kustomization.yaml': 'resources: [map.json]',
    'map.json': JSON.stringify(config('listed', { a: '1' })),
    'other.json': JSON.stringify(config('unlisted', {})),
  })
  expect((await command.homeostat('apply', '-k', folder)).out).toBe('configmap/listed created\n')
  expect(await command.homeostat('diff', '-k', folder)).toMatchObject({ code: 0, out: '' })
  expect((await command.homeostat('delete', '-k', folder)).out).toBe('configmap "listed" deleted\n')
  expect((await command.homeostat('apply', '-k', folder, '-f', folder)).error).toBe(
    'error: only one of -f or -k can be specified\n',
  )
})

test('options of kubectl that are not here say what to use', async () => {
  const { code, error } = await command.homeostat('apply', '--prune', '-l', 'a=b', '-f', '.')
  expect(error).toMatch(
    /^error: homeostat apply has no --prune: nothing is pruned: .* `homeostat delete TYPE -l LABELS`\n$/,
  )
  expect(code).toBe(1)
})
