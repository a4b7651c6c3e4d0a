// ProcessGraphs on a colony: what its client sends, what executors get, what is written.

import { silentLog } from '@homeostat/base'
import { executor } from '@homeostat/executor'
import type { GraphNode, ProcessGraph } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import { MemoryStore } from '@homeostat/store'
import type { TestColonyOptions } from '@homeostat/testing/colony'
import { describe, expect, it, onTestFinished } from 'vitest'
import { processOfNode } from '../src/graphs/node-process.ts'
import { startColony } from './colony-calls.ts'
import { untilFound } from './server.fixture.ts'

const PROCESSES = { group: 'colonies.io', resource: 'processes' }
const GRAPHS = { group: 'colonies.io', resource: 'processgraphs' }

type Node = Partial<GraphNode> & { name: string }

async function graphColony(options: TestColonyOptions = {}) {
  const started = await startColony(options)
  const { send, colony, assign, close, register, clock } = started
  await register('e1')
  const graph = (name: string) =>
    colony.api.get(GRAPHS, { namespace: 'dev', name }) as unknown as ProcessGraph | undefined
  const object = (name: string, nodes: readonly Node[], spec: object = {}) => ({
    apiVersion: 'colonies.io/v1',
    kind: 'ProcessGraph',
    metadata: { name },
    spec: {
      nodes: nodes.map((node) => ({ funcName: node.name, conditions: { executorType: 'ml' }, ...node })),
      ...spec,
    },
  })
  const submitGraph = (name: string, nodes: readonly Node[], spec: object = {}) =>
    send<ProcessGraph & { message: string }>('POST', '/processgraphs', object(name, nodes, spec))
  /** Waits for the work, runs it and returns the Processes by their function. */
  const take = async (count: number) => {
    const taken: Process[] = []
    while (taken.length < count) {
      const { body } = await assign('e1', { max: count - taken.length }, 20)
      taken.push(...body.processes)
    }
    return new Map(taken.map((process) => [process.spec.funcName, process]))
  }
  const end = async (process: Process | undefined, more: object = {}) =>
    (
      await close(process?.metadata.name ?? '', {
        executor: 'e1',
        attempt: process?.status.attempt ?? 0,
        result: 'Succeeded',
        ...more,
      })
    ).status
  const ended = (name: string) => untilFound(colony.api, () => graph(name)?.status?.finishedAt && graph(name)?.status)
  return { ...started, graph, object, submitGraph, take, end, ended, clock }
}

const DIAMOND = [
  { name: 'a' },
  { name: 'b', dependencies: ['a'] },
  { name: 'c', dependencies: ['a'] },
  { name: 'd', dependencies: ['c', 'b'] },
]

describe('a graph', () => {
  it('runs in order, with outputs of parents as input, in their order', async () => {
    const { submitGraph, take, end, ended, process } = await graphColony()
    expect((await submitGraph('g', DIAMOND)).status).toBe(201)
    const a = (await take(1)).get('a')
    expect(a?.status.input).toBeUndefined()
    await end(a, { output: 1 })
    const second = await take(2)
    expect(second.get('b')?.status.input).toEqual([1])
    await end(second.get('b'), { output: { b: 2 } })
    await end(second.get('c'), { output: 'c' })
    const d = (await take(1)).get('d')
    expect(d?.status.input).toEqual(['c', { b: 2 }])
    // The input is not stored.
    expect(process(d?.metadata.name ?? '')?.status.input).toBeUndefined()
    await end(d)
    expect(await ended('g')).toMatchObject({
      phase: 'Succeeded',
      nodes: { total: 4, succeeded: 4, running: 0 },
      conditions: [{ type: 'Complete', status: 'True' }],
    })
  })

  it('fails what depends on a failed node, and leaves what succeeded', async () => {
    const { submitGraph, take, end, ended, colony } = await graphColony()
    await submitGraph('g', DIAMOND)
    await end((await take(1)).get('a'))
    const second = await take(2)
    await end(second.get('b'), { result: 'Failed', retryable: false, errors: ['no'] })
    await end(second.get('c'))
    expect(await ended('g')).toMatchObject({
      phase: 'Failed',
      failed: ['b', 'd'],
      nodes: { total: 4, succeeded: 2, failed: 2 },
    })
    expect(colony.api.count(PROCESSES)).toBe(3)
  })

  it('is refused with a cycle, an unknown dependency or no node at all', async () => {
    const { submitGraph, send, object } = await graphColony()
    const cyclic = await submitGraph('g', [
      { name: 'a', dependencies: ['c'] },
      { name: 'b', dependencies: ['a'] },
      { name: 'c', dependencies: ['b'] },
    ])
    expect(cyclic.status).toBe(422)
    expect(cyclic.body.message).toMatch(/is in a cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)/)
    const unknown = await submitGraph('g', [{ name: 'a', dependencies: ['x'] }])
    expect(unknown.status).toBe(422)
    expect(unknown.body.message).toContain('spec.nodes[0].dependencies[0]')
    expect((await submitGraph('g', [])).status).toBe(422)
    expect((await send('POST', '/processgraphs', object('g', [], { parts: ['no'] }))).status).toBe(422)
  })

  it('cannot be changed, but cancelled: what runs hears of it, what waits ends', async () => {
    const { submitGraph, take, end, ended, patch, assign } = await graphColony()
    await submitGraph('g', [...DIAMOND, { name: 'other' }])
    const first = await take(2)
    expect((await patch('/processgraphs/g', { spec: { nodes: [] } })).status).toBe(422)
    expect((await patch('/processgraphs/g', { spec: { onFailure: 'continue' } })).status).toBe(422)
    expect((await patch('/processgraphs/g', { spec: { cancel: true } })).status).toBe(200)
    expect((await patch('/processgraphs/g', { spec: { cancel: false } })).status).toBe(422)
    const { body } = await assign('e1', { max: 0 }, 20)
    expect(body.cancelled.length).toBeGreaterThan(0)
    for (const process of first.values()) await end(process, { result: 'Cancelled' })
    expect(await ended('g')).toMatchObject({ phase: 'Cancelled', nodes: { total: 5, cancelled: 5 } })
  })

  it('writes its status at most once a second', async () => {
    const { submitGraph, take, end, colony, clock, graph } = await graphColony()
    const chain = Array.from({ length: 6 }, (_, index) => ({
      name: `n${index}`,
      ...(index > 0 && { dependencies: [`n${index - 1}`] }),
    }))
    await submitGraph('g', chain)
    let writes = 0
    colony.api.follow(GRAPHS, () => writes++)
    for (let index = 0; index < 3; index++) await end((await take(1)).get(`n${index}`))
    expect(writes).toBe(0)
    clock.advance(1000)
    await untilFound(colony.api, () => graph('g')?.status?.nodes?.succeeded === 3)
    expect(graph('g')?.status).toMatchObject({ phase: 'Running', nodes: { total: 6 } })
    for (let index = 3; index < 6; index++) await end((await take(1)).get(`n${index}`))
    expect(writes).toBe(1)
    clock.advance(1000)
    await untilFound(colony.api, () => graph('g')?.status?.phase === 'Succeeded')
    expect(writes).toBe(2)
  })

  it('keeps Processes that it needs, and deletes itself with them after its ttl', async () => {
    const { submitGraph, take, end, ended, clock, process, colony, graph } = await graphColony()
    await submitGraph(
      'g',
      [
        { name: 'a', ttlSecondsAfterFinished: 1 },
        { name: 'b', dependencies: ['a'] },
      ],
      {
        ttlSecondsAfterFinished: 60,
      },
    )
    const a = (await take(1)).get('a')
    await end(a, { output: 7 })
    clock.advance(5000)
    expect(process(a?.metadata.name ?? '')?.status.output).toBe(7)
    const b = (await take(1)).get('b')
    expect(b?.status.input).toEqual([7])
    await end(b)
    await ended('g')
    clock.advance(10_000)
    await untilFound(colony.api, () => process(a?.metadata.name ?? '') === undefined)
    clock.advance(60_000)
    await untilFound(colony.api, () => graph('g') === undefined)
  })

  it('counts a Process that was deleted as failed, also after that', async () => {
    const { submitGraph, take, ended, colony } = await graphColony()
    await submitGraph('g', [{ name: 'a' }, { name: 'b', dependencies: ['a'] }])
    const a = (await take(1)).get('a')
    await colony.api.delete(PROCESSES, { namespace: 'dev', name: a?.metadata.name ?? '' })
    expect(await ended('g')).toMatchObject({
      phase: 'Failed',
      failed: ['a', 'b'],
      removed: [{ name: 'a', phase: 'Failed' }],
    })
  })
})

describe('after a restart', () => {
  it('a graph goes on from its Processes, and begins nothing twice', async () => {
    const store = new MemoryStore()
    const first = await graphColony({ store })
    await first.submitGraph('g', DIAMOND)
    await first.end((await first.take(1)).get('a'), { output: 1 })
    const { b, c } = Object.fromEntries(await first.take(2))
    await first.end(b, { output: 2 })
    await first.colony.close()

    const { end, take, ended, colony } = await graphColony({ store })
    expect(colony.api.count(PROCESSES)).toBe(3)
    expect(await end(c, { output: 3 })).toBe(200)
    const d = (await take(1)).get('d')
    expect(d?.status.input).toEqual([3, 2])
    await end(d)
    expect(await ended('g')).toMatchObject({ phase: 'Succeeded', nodes: { total: 4, succeeded: 4 } })
    expect(colony.api.count(PROCESSES)).toBe(4)
  })

  it('a graph whose node could not be recorded finds its Process by its name', async () => {
    const { colony, submitGraph, take, end, ended, graph } = await graphColony()
    await submitGraph('g', [{ name: 'a' }])
    const a = (await take(1)).get('a')
    // Another server has made the Process of b, and this one does not know of it.
    const { name = '', uid = '' } = graph('g')?.metadata ?? {}
    const added = { name: 'b', funcName: 'b', dependencies: ['a'], conditions: { executorType: 'ml' } }
    const manifest = processOfNode({ metadata: { name, uid, namespace: 'dev' } } as ProcessGraph, added, [])
    await colony.api.create(PROCESSES, manifest)
    await colony.colony.addNodes({
      namespace: 'dev',
      name: a?.metadata.name ?? '',
      query: new URLSearchParams(),
      json: async () => ({ executor: 'e1', attempt: 1, nodes: [added] }),
      bytes: async () => new Uint8Array(),
      requirePermission: async () => {},
    })
    await end(a)
    await end((await take(1)).get('b'))
    expect(await ended('g')).toMatchObject({ phase: 'Succeeded', nodes: { total: 2 } })
    expect(colony.api.count(PROCESSES)).toBe(2)
  })
})

describe('a large graph', () => {
  it('has its nodes in parts, which are checked with it and belong to it', async () => {
    const { send, object, take, end, ended, colony } = await graphColony()
    const part = (name: string, nodes: readonly Node[]) =>
      send('POST', '/processgraphparts', {
        apiVersion: 'colonies.io/v1',
        kind: 'ProcessGraphPart',
        metadata: { name },
        spec: { graph: 'g', nodes: object('', nodes).spec.nodes },
      })
    const many = Array.from({ length: 2001 }, (_, index) => ({ name: `n${index}` }))
    expect((await send('POST', '/processgraphs', object('g', many))).status).toBe(422)
    expect((await part('p1', [{ name: 'a' }, { name: 'b', dependencies: ['a'] }])).status).toBe(201)
    expect((await part('p2', [{ name: 'c', dependencies: ['b', 'x'] }])).status).toBe(201)
    const refused = await send<{ message: string }>('POST', '/processgraphs', {
      ...object('g', []),
      spec: { parts: ['p1', 'p2'] },
    })
    expect(refused.body.message).toContain('spec.parts[1].nodes[0].dependencies[1]')
    await part('p3', [{ name: 'c', dependencies: ['b'] }])
    const accepted = await send('POST', '/processgraphs', { ...object('g', []), spec: { parts: ['p1', 'p3'] } })
    expect(accepted.status).toBe(201)
    for (const name of ['a', 'b', 'c']) await end((await take(1)).get(name))
    expect(await ended('g')).toMatchObject({ phase: 'Succeeded', nodes: { total: 3 } })
    const owned = colony.api.get(
      { group: 'colonies.io', resource: 'processgraphparts' },
      { namespace: 'dev', name: 'p1' },
    )
    expect(owned?.metadata.ownerReferences?.[0]?.name).toBe('g')
  })
})

describe('a running Process', () => {
  it('adds nodes to its graph behind the fence of its attempt', async () => {
    const { submitGraph, take, end, ended, send } = await graphColony()
    await submitGraph('g', [{ name: 'a' }])
    const a = (await take(1)).get('a')
    const name = a?.metadata.name ?? ''
    const add = (nodes: readonly Node[], attempt = 1, executor = 'e1') =>
      send<{ added?: string[]; message: string }>('POST', `/processes/${name}/nodes`, {
        executor,
        attempt,
        nodes: nodes.map((node) => ({ funcName: node.name, conditions: { executorType: 'ml' }, ...node })),
      })
    const nodes = [
      { name: 'x', dependencies: ['a'] },
      { name: 'y', dependencies: ['x'] },
    ]
    expect((await add(nodes)).body.added).toEqual(['x', 'y'])
    // A response can be lost.
    expect((await add(nodes)).body.added).toEqual([])
    expect((await add([{ name: 'z', dependencies: ['no'] }])).status).toBe(422)
    expect((await add([{ name: 'a', priority: 3 }])).status).toBe(422)
    expect((await add([{ name: 'z', maxRetries: 'many' } as unknown as Node])).body.message).toContain(
      'nodes[0].maxRetries',
    )
    expect((await add([{ name: 'z' }], 2)).status).toBe(409)
    expect((await add([{ name: 'z' }], 1, 'e2')).status).toBe(409)
    await end(a, { output: 5 })
    expect((await add([{ name: 'z' }])).status).toBe(409)
    const x = (await take(1)).get('x')
    expect(x?.status.input).toEqual([5])
    await end(x)
    await end((await take(1)).get('y'))
    expect(await ended('g')).toMatchObject({ phase: 'Succeeded', nodes: { total: 3, succeeded: 3 } })
  })

  it('cannot be made part of a graph by its client', async () => {
    const { send, process } = await graphColony()
    await send('POST', '/processes', {
      apiVersion: 'colonies.io/v1',
      kind: 'Process',
      metadata: { name: 'p', labels: { 'colonies.io/graph-uid': 'u', mine: 'yes' } },
      spec: { funcName: 'f', conditions: { executorType: 'other' }, inputFrom: ['secret'] },
    })
    expect(process('p')?.metadata.labels).toEqual({ mine: 'yes' })
    expect(process('p')?.spec.inputFrom).toBeUndefined()
  })
})

describe('a rerun', () => {
  it('is a new graph that links to the old one and reuses what succeeded', async () => {
    const { submitGraph, take, end, ended, send, graph } = await graphColony()
    await submitGraph('g', DIAMOND)
    expect((await send('POST', '/processgraphs/g/rerun', {})).status).toBe(409)
    await end((await take(1)).get('a'), { output: 'from a' })
    const second = await take(2)
    await end(second.get('b'), { result: 'Failed', retryable: false })
    await end(second.get('c'), { output: 'from c' })
    await ended('g')
    const rerun = await send<ProcessGraph>('POST', '/processgraphs/g/rerun', { name: 'g2' })
    expect(rerun.status).toBe(201)
    expect(rerun.body.spec.rerunOf).toEqual({ name: 'g', uid: graph('g')?.metadata.uid })
    expect((await send('POST', '/processgraphs/g/rerun', { name: 'g2' })).status).toBe(409)
    const b = (await take(1)).get('b')
    expect(b?.status.input).toEqual(['from a'])
    await end(b, { output: 'from b' })
    const d = (await take(1)).get('d')
    expect(d?.status.input).toEqual(['from c', 'from b'])
    await end(d)
    expect(await ended('g2')).toMatchObject({ phase: 'Succeeded', nodes: { total: 4, succeeded: 4 } })
  })
})

describe('an executor with the SDK', () => {
  it('gets a large input too, and adds nodes', async () => {
    const { colony, submitGraph, ended } = await graphColony()
    const large = 'x'.repeat(200 << 10)
    const parents = Array.from({ length: 6 }, (_, index) => ({ name: `p${index}`, funcName: 'make', args: [index] }))
    const seen: unknown[] = []
    const conditions = { executorType: 'sdk' }
    const running = executor({
      client: colony.client,
      colony: 'dev',
      name: 'sdk',
      log: silentLog,
      type: 'sdk',
      functions: {
        make: ({ args }) => `${args[0]}${large}`,
        join: async ({ input, addNodes }) => {
          seen.push(...input.map((one) => String(one).slice(0, 1)))
          await addNodes([{ name: 'more', funcName: 'more', dependencies: ['join'], conditions }])
          return 'joined'
        },
        more: ({ input }) => seen.push(...input),
      },
    })
    onTestFinished(() => running.close())
    await submitGraph(
      'g',
      [...parents, { name: 'join', dependencies: parents.map(({ name }) => name) }].map((node) => ({
        ...node,
        conditions,
      })),
    )
    expect(await ended('g')).toMatchObject({ phase: 'Succeeded', nodes: { total: 8 } })
    expect(seen).toEqual(['0', '1', '2', '3', '4', '5', 'joined'])
  })
})
