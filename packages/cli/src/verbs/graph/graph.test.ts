import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { GraphNode } from '@homeostat/executor/graphs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOn } from '../../terminal.fixture.ts'
import { type TestCommand, testCommand } from '../colony.fixture.ts'
import { type DrawnNode, drawGraph } from './draw-graph.ts'

let command: TestCommand
let isBroken = true
beforeAll(async () => {
  command = await testCommand()
  await command.executor('work', 'worker', {
    ok: ({ input }) => input.length,
    flaky: () => {
      if (isBroken) throw new Error('out of order')
    },
  })
})
afterAll(() => command[Symbol.asyncDispose]())

const conditions = { executorType: 'worker' }
const nodes = [
  { name: 'a', funcName: 'ok', conditions },
  { name: 'b', dependencies: ['a'], funcName: 'flaky', maxRetries: 0, conditions },
  { name: 'c', dependencies: ['a'], funcName: 'ok', conditions },
  { name: 'd', dependencies: ['b', 'c'], funcName: 'ok', conditions },
]
const graph = (...argv: string[]) => command.homeostat('graph', ...argv, '-n', 'work')

test('a graph is submitted, drawn live, rerun from where it failed, and shown', async () => {
  const failed = await command.withInput({ nodes }, 'graph', 'submit', '-f', '-', '--name', 'g', '-w', '-n', 'work')
  expect(failed.code).toBe(4)
  expect(failed.out).toContain('b Failed\n')
  expect(failed.out).toContain('✘ b  flaky  Failed  out of order')
  expect((await graph('cancel', 'g')).error).toContain('it has ended as Failed')
  isBroken = false
  const again = await graph('rerun', 'g', '--name', 'g2', '-w')
  expect(again.code).toBe(0)
  expect(again.out).toContain('g2  Succeeded  4 succeeded')
  expect(again.out).toMatch(/✔ a {2}ok {2}Succeeded {2}reused g-a-/)
  expect((await graph('get')).out).toMatch(/g2 +Succeeded +4/)
  const drawn = await runOn(command.terminal({ columns: 100 }), ['graph', 'tree', 'g2', '-w', '-n', 'work'])
  expect(drawn.out).toContain('└─')
})

test('a graph is refused with the reason, and what is not there is said', async () => {
  const cyclic = [{ name: 'x', dependencies: ['x'], funcName: 'ok', conditions }]
  const refused = await command.withInput(cyclic, 'graph', 'submit', '-f', '-', '--name', 'no', '-n', 'work')
  expect(refused.error).toContain('is in a cycle: x -> x')
  expect((await command.withInput(nodes, 'graph', 'submit', '-f', '-', '-n', 'work')).error).toContain('--name NAME')
  expect((await graph('tree', 'none')).error).toContain("there is no graph 'none' in the namespace work")
  expect((await command.homeostat('schedule', 'run', 'none', '-n', 'work')).error).toContain(
    "there is no schedule 'none'",
  )
})

test('a large graph is submitted in parts, and cancelled', async () => {
  const many = Array.from({ length: 2001 }, (_, index) => ({
    name: `n${index}`,
    funcName: 'f',
    conditions: { executorType: 'no' },
  }))
  const spec = { nodes: [...many.slice(1), { ...many[0], dependencies: ['n1'] }] }
  const file = join(
    temporaryFolder({ 'large.json': JSON.stringify({ metadata: { name: 'large' }, spec }) }),
    'large.json',
  )
  expect((await graph('submit', '-f', file)).out).toBe('large\n')
  expect((await graph('cancel', 'large')).out).toBe('large is being cancelled\n')
})

test('a node is drawn below the last of its dependencies, and large graphs in short', () => {
  const drawn = (name: string, dependencies: string[], phase: DrawnNode['phase']): DrawnNode => ({
    node: { name, dependencies, funcName: 'f', conditions } as GraphNode,
    phase,
  })
  const parts = [
    drawn('a', [], 'Succeeded'),
    drawn('b', ['a'], 'Running'),
    drawn('c', ['a'], 'Waiting'),
    drawn('d', ['a', 'b'], 'Pending'),
  ]
  const object = {
    apiVersion: 'v1',
    kind: 'ProcessGraph',
    metadata: { name: 'g' },
    spec: {},
    status: { phase: 'Running' as const },
  }
  const lines = drawGraph({ graph: object, nodes: parts, maxNodes: 9, paint: (_, text) => text })
  expect(lines).toEqual([
    'g  Running  1 succeeded, 1 running, 1 waiting, 1 pending',
    '✔ a  f  Succeeded',
    '├─ ◐ b  f  Running',
    '│  └─ · d  f  Pending  after a, b',
    '└─ ○ c  f  Waiting',
  ])
  expect(drawGraph({ graph: object, nodes: parts, maxNodes: 2, paint: (_, text) => text }).at(-1)).toBe(
    '… 2 more nodes',
  )
})
