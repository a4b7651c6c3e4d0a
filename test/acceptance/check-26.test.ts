// Check 26: the diamond workflow A -> B,C -> D runs in order with parents' outputs as D's input; a failing B fails D and the
// workflow while A stays successful; a cyclic spec or unknown dependency is refused at submit.

import { PermanentError } from '@homeostat/executor'
import { expect, test } from 'vitest'
import { colonyServer } from './colony-server.ts'

test('check 26', async () => {
  const { create, send, executor } = await colonyServer()
  const order: string[] = []
  let isBroken = false
  executor('t', {
    step: ({ process, input, args }) => {
      order.push(String(args[0]))
      if (isBroken && args[0] === 'b') throw new PermanentError(`${process.metadata.name} is broken`)
      return { from: args[0], input }
    },
  })
  const step = (name: string, ...dependencies: string[]) => ({
    name,
    dependencies,
    funcName: 'step',
    args: [name],
    conditions: { executorType: 't' },
  })
  const diamond = [step('a'), step('b', 'a'), step('c', 'a'), step('d', 'b', 'c')]
  const ended = (name: string) =>
    expect.poll(async () => (await send('GET', `/processgraphs/${name}`)).body.status?.finishedAt)
  const outputs = async (graph: string) => {
    const { body } = await send('GET', `/processes?labelSelector=colonies.io/graph=${graph}`)
    const byNode = body.items?.map(({ metadata, status }) => [metadata.labels?.['colonies.io/graph-node'], status])
    return Object.fromEntries(byNode ?? []) as Record<string, { phase: string; output?: unknown }>
  }

  expect((await create('ProcessGraph', 'good', { nodes: diamond })).status).toBe(201)
  await ended('good').toBeDefined()
  expect((await send('GET', '/processgraphs/good')).body.status).toMatchObject({ phase: 'Succeeded' })
  expect(order[0]).toBe('a')
  expect([...order.slice(1, 3)].sort()).toEqual(['b', 'c'])
  expect(order[3]).toBe('d')
  const { d } = await outputs('good')
  expect(d?.output).toMatchObject({ input: [{ from: 'b' }, { from: 'c' }] })

  isBroken = true
  await create('ProcessGraph', 'bad', { nodes: diamond })
  await ended('bad').toBeDefined()
  const { status } = (await send('GET', '/processgraphs/bad')).body
  expect(status).toMatchObject({ phase: 'Failed', failed: ['b', 'd'], nodes: { succeeded: 2, failed: 2 } })
  const after = await outputs('bad')
  expect(after.a?.phase).toBe('Succeeded')
  expect(after.d).toBeUndefined()

  const cyclic = await create('ProcessGraph', 'cyclic', { nodes: [step('x', 'y'), step('y', 'x')] })
  expect(cyclic.status).toBe(422)
  expect(cyclic.body.message).toMatch(/x -> y -> x|y -> x -> y/)
  const unknown = await create('ProcessGraph', 'unknown', { nodes: [step('x', 'nobody')] })
  expect(unknown.status).toBe(422)
  expect(unknown.body.message).toContain('nobody')
})
