// What makes a command quick to start: it loads what it needs and nothing else.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandTest, commandTest } from './command.fixture.ts'

let command: CommandTest
beforeAll(async () => {
  command = await commandTest()
  const processes = command.client.resource('colonies.io/v1', 'Process')
  const spec = { funcName: 'f', conditions: { executorType: 'nobody' } }
  await processes.create({ metadata: { name: 'p', namespace: 'default' }, spec } as object)
})
afterAll(() => command[Symbol.asyncDispose]())

/**
 * Never part of a command that talks to a server. The file that starts a store's thread imports nothing and is loaded with the
 * command itself: a late import of it would cost a start more. Views of the colony are pure, and so small that they are one entry.
 */
const HEAVY =
  /\/node_modules\/(?:zod|re2js)\/|\/packages\/(?:apiserver|store(?!\/src\/sqlite\/spawn-thread\.ts)|operator|workloads|runtimes|colony(?!\/src\/(?:views|graph)\/)|schema)\//

let runs = 0

async function modulesOf(args: readonly string[]): Promise<{ modules: string[]; code: number; error: string }> {
  runs += 1
  const file = join(command.folder, `loaded-${runs}`)
  const preload = join(import.meta.dirname, 'loaded-modules.ts')
  const { code, error } = await command.homeostat(args, { LOADED_MODULES: file, NODE_OPTIONS: `--import=${preload}` })
  return { modules: readFileSync(file, 'utf8').split('\n'), code, error }
}

test.each([
  [['crd', 'list'], 0],
  [['get', 'crds,processes'], 0],
  [['get', 'processes', 'p', '-o', 'name'], 0],
  [['wait', 'process/p', '--for=create'], 0],
  [['logs', 'process/p'], 0],
  [['resource', 'get', 'x'], 1],
  [['process', 'submit', 'f', '--type', 't'], 0],
  [['process', 'wait', 'p', '--timeout', '1ms'], 6],
  [['process', 'logs', 'p'], 0],
  [['executor', 'list'], 0],
  [['queue', 'status'], 0],
  [['__complete', 'process', 'wait', ''], 0],
  [['executor', 'run', '--type', 't', '--name', 'NO'], 2],
])('%j loads nothing of a server and no zod', async (args, expected) => {
  const { modules, code, error } = await modulesOf(args)
  expect(error).not.toMatch(/\n\s+at /)
  expect(code).toBe(expected)
  expect(modules.some((url) => url.endsWith('/cli/src/run.ts'))).toBe(true)
  expect(modules.filter((url) => HEAVY.test(url))).toEqual([])
})

test('a list loads neither a reader of YAML nor what follows changes', async () => {
  writeFileSync(
    join(command.folder, 'kubeconfig'),
    [
      'current-context: c',
      'clusters:\n- name: k\n  cluster:\n    server: http://127.0.0.1:1',
      'contexts:\n- name: c\n  context:\n    cluster: k\n',
    ].join('\n'),
  )
  for (const list of [
    ['crd', 'list'],
    ['get', 'crds'],
  ]) {
    const { modules } = await modulesOf(list)
    expect(modules.filter((url) => /node_modules\/yaml|\/informer\/|meta\/src\/server/.test(url))).toEqual([])
  }
  const refused = await modulesOf(['crd', 'list', '--kubeconfig', join(command.folder, 'kubeconfig')])
  expect(refused.error).toMatch(/no server answers at http:\/\/127\.0\.0\.1:1/)
  expect(refused.modules.filter((url) => /node_modules\/yaml/.test(url))).toEqual([])
})
