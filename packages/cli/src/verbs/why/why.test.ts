// `homeostat why` on a real server with an operator, and its story as a table.

import { silentLog } from '@homeostat/base'
import { type ChangeStep, type Facts, refKey, tellStory, triggeringObjects } from '@homeostat/meta/history'
import { operator, run } from '@homeostat/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ServedKinds } from '../../access/served-kinds.ts'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'
import { readFacts } from './read-facts.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

const lit = operator('why.io/v1/Light', { spec: z.object({ size: z.int() }) }, ({ spec, child }) => [
  child('v1', 'ConfigMap', { data: { size: String(spec.size) } }),
])

const light = (size: number) => ({
  apiVersion: 'why.io/v1',
  kind: 'Light',
  metadata: { name: 'hall', namespace: 'default' },
  spec: { size },
})

test('a child is explained by the run of its owner, and that by who changed it', async () => {
  const running = run(lit, { client: command.client, log: silentLog, name: 'light-operator' })
  await running.ready
  await command.withInput(light(1), 'apply', '-f', '-')
  const explained = async () => (await command.homeostat('why', 'configmap', 'hall')).out
  await expect
    .poll(explained)
    .toMatch(
      /^ConfigMap default\/hall\n.* created by system:admin \(light-operator\)\n +because light-operator reconciled Light default\/hall\n +since Light default\/hall created: created by system:admin \(homeostat\)\n/,
    )
  expect((await command.homeostat('why', 'light', 'hall')).out).toMatch(
    /reconciled by light-operator: created ConfigMap default\/hall, updated the status of Light default\/hall\n/,
  )
  const { out } = await command.homeostat('why', 'light/hall', '-o', 'json')
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Explanation',
    object: { kind: 'Light', name: 'hall' },
    steps: [
      { type: 'run', writes: [{ did: 'created' }, { did: 'status' }] },
      { type: 'change', user: 'system:admin' },
    ],
    missing: [],
  })
  await running.close()
})

test('a handler tells its runs alike', async () => {
  const handler = { executorType: 'teller', functionName: 'tell' }
  const definition = handledDefinition('Told', 'why-handled.io', handler)
  await command.withInput(definition, 'apply', '-f', '-')
  const made = {
    ...light(1),
    apiVersion: 'why-handled.io/v1',
    kind: 'Told',
    metadata: { name: 'one', namespace: 'default' },
  }
  await command.withInput(made, 'apply', '-f', '-')
  await command.executor('default', 'teller', { tell: ({ status }) => void status({ phase: 'Running' }) })
  const explained = async () => (await command.homeostat('why', 'told', 'one')).out
  await expect
    .poll(explained)
    .toMatch(
      /reconciled by homeostat.dev\/colony: updated the status of Told default\/one\n +since Told default\/one changed \(process .*\): created by system:admin/,
    )
})

test('what the garbage collector and the end of a namespace deleted is explained by them', async () => {
  const apply = (object: object) => command.withInput(object, 'apply', '-f', '-')
  const map = (name: string, namespace: string, owner?: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...(owner && { ownerReferences: [owner] }) },
  })
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'short' } })
  await apply(map('owner', 'default'))
  const maps = command.client.resource('v1', 'ConfigMap')
  const { uid = '' } = (await maps.get({ name: 'owner', namespace: 'default' })).metadata
  await apply(map('owned', 'default', { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }))
  await apply(map('inside', 'short'))
  await command.homeostat('delete', 'configmap', 'owner')
  await command.homeostat('delete', 'namespace', 'short')
  const why = async (...words: string[]) => (await command.homeostat('why', ...words)).out
  const deleted = /deleted by .*\n +because homeostat.dev\/garbage-collector reconciled ConfigMap default\/owned/
  await expect.poll(() => why('configmap', 'owned')).toMatch(deleted)
  await expect
    .poll(() => why('namespace', 'short'))
    .toMatch(/homeostat.dev\/namespace-controller: .*deleted ConfigMap short\/inside/)
})

test('an object that never was is not found, and a word too few says what to type', async () => {
  expect(await command.homeostat('why', 'configmap', 'nobody')).toMatchObject({ code: 1, out: '' })
  expect((await command.homeostat('why', 'configmap')).error).toContain('homeostat why TYPE NAME')
})

test('a server without history tells of field managers, and what is missing', async () => {
  const { client } = command
  const { transport } = client
  const map = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'foreign', namespace: 'default' },
    data: { a: '1' },
  }
  await client.resource('v1', 'ConfigMap').create(map, { fieldManager: 'ada' })
  // A cluster that is not ours has no such path.
  const foreign = client.over({
    close: () => {},
    send: (request) => transport.send({ ...request, path: request.path.replace(/\/history$/, '/nothing') }),
  })
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'foreign' }
  const facts = await readFacts(foreign, await ServedKinds.read(foreign), ref)
  expect(facts.missing).toContain(
    'this server keeps no history: who changed an object is known by its field managers alone',
  )
  expect(tellStory(ref, facts)).toMatchObject([{ type: 'change', change: 'updated', manager: 'ada' }])
})

const lamp = { apiVersion: 'ex.io/v1', kind: 'Lamp', namespace: 'home', name: 'desk' }
const map = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'home', name: 'desk' }

test('a chain that leads back to itself ends', () => {
  const round = (object: typeof lamp, resourceVersion: string) => ({
    text: 'changed',
    object,
    resourceVersion,
    manager: 'm',
  })
  const told = (object: typeof lamp, trigger: object, write: object) => ({
    controller: 'c',
    object,
    time: '2030-01-01T00:00:00Z',
    count: 1,
    record: { triggers: [trigger as never], writes: [{ did: 'updated' as const, ...write } as never] },
  })
  const entry = (resourceVersion: string) => ({ change: 'updated' as const, resourceVersion })
  const facts: Facts = {
    objects: new Map([
      [refKey(lamp), { ref: lamp, entries: [entry('1')] }],
      [refKey(map), { ref: map, entries: [entry('2')] }],
    ]),
    runs: [
      told(lamp, round(map, '2'), { object: lamp, resourceVersion: '1' }),
      told(map, round(lamp, '1'), { object: map, resourceVersion: '2' }),
    ],
  }
  const [first] = tellStory(lamp, facts).filter(({ type }) => type === 'change')
  expect((first as ChangeStep).because?.triggers[0]?.change?.because?.object).toEqual(map)
  expect(triggeringObjects([lamp], facts.runs).map(({ kind }) => kind)).toEqual(['ConfigMap'])
})
