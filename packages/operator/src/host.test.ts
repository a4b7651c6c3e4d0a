// What a host sees of a run, and what it decides.

import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { RequestInfo } from './access/request-info.ts'
import { operator } from './functional/operator.ts'
import {
  type HostedRun,
  type InstalledDefinition,
  type OperatorHost,
  type RunDescription,
  setOperatorHost,
} from './host.ts'
import { run } from './run.ts'
import { NAMESPACE } from './runtime/operate.fixture.ts'
import { startTestServer } from './testing/server.fixture.ts'

function host(given: OperatorHost): void {
  setOperatorHost(given)
  onTestFinished(() => setOperatorHost(undefined))
}

async function server() {
  const started = await startTestServer()
  onTestFinished(() => started.close())
  return started
}

const note = (spec: z.ZodObject = z.object({ text: z.string() })) =>
  operator('ex.io/v1/Note', { spec }, async ({ child }) => [child('v1', 'ConfigMap', { data: { a: 'b' } })])

it('takes the description of a run, which then does not start and stays pending until it is closed', async () => {
  const described: RunDescription[] = []
  host({ describe: (description) => void described.push(description) })
  // Without a client: a run that started would look for a server.
  const running = run(note(), { name: 'notes', namespace: 'shop', leaderElection: true, health: { port: 8080 } })
  await eventually(() => described.length === 1)
  expect(described[0]).toMatchObject({
    name: 'notes',
    kinds: [{ apiVersion: 'ex.io/v1', kind: 'Note' }],
    definitions: [{ kind: 'CustomResourceDefinition', metadata: { name: 'notes.ex.io' } }],
    namespaces: ['shop'],
    leaderElection: true,
    health: { port: 8080, host: '127.0.0.1' },
  })
  expect(structuredClone(described[0])).toEqual(described[0])
  expect(await Promise.race([running.ready, running.done, Promise.resolve('pending')])).toBe('pending')
  await running.close()
  await running.done
  await expect(running.ready).rejects.toThrow(/closed before/)
})

it('hears of each request as RBAC sees it; an apply that creates is a patch and a create', async () => {
  const { connect, client } = await server()
  const requests: RequestInfo[] = []
  host({ requested: (request) => void requests.push(request) })
  const running = run(note(), { client: connect(), log: silentLog, name: 'notes' })
  await running.ready
  const body = {
    apiVersion: 'ex.io/v1',
    kind: 'Note',
    metadata: { name: 'n', namespace: NAMESPACE },
    spec: { text: '' },
  }
  await client.resourceOf('ex.io/v1', 'Note').create(body)
  await eventually(() => requests.some(({ resource, verb }) => resource === 'configmaps' && verb === 'create'))
  await running.close()
  const seen = new Set(requests.map(({ verb, group, resource }) => `${verb} ${resource}.${group}`))
  for (const one of [
    'patch configmaps.',
    'watch configmaps.',
    'watch notes.ex.io',
    'create customresourcedefinitions.apiextensions.k8s.io',
  ])
    expect(seen).toContain(one)
  expect(requests).toContainEqual({
    verb: 'create',
    group: '',
    resource: 'configmaps',
    namespace: NAMESPACE,
    name: 'n',
  })
  expect(requests).toContainEqual(
    expect.objectContaining({ verb: 'patch', group: 'ex.io', resource: 'notes', subresource: 'status' }),
  )
})

it('hears what became of a definition, and decides about a breaking change', async () => {
  const { connect } = await server()
  const installed: InstalledDefinition[] = []
  const asked: string[] = []
  let allow = false
  host({
    installed: (definition) => void installed.push(definition),
    async allowBreaking(definition, changes) {
      asked.push(...changes.map(({ path }) => `${definition} ${path}`))
      return allow
    },
  })
  const start = async (spec?: z.ZodObject) => {
    const running = run(note(spec), { client: connect(), log: silentLog })
    try {
      await running.ready
    } finally {
      await running.close()
    }
  }
  await start()
  await start()
  expect(installed.map(({ name, written }) => `${name} ${written}`)).toEqual([
    'notes.ex.io created',
    'notes.ex.io nothing',
  ])
  const other = z.object({ text: z.number() })
  await expect(start(other)).rejects.toThrow(/would break/)
  expect(asked).toEqual(['notes.ex.io v1 spec.text'])
  allow = true
  await start(other)
  expect(installed.at(-1)).toMatchObject({ name: 'notes.ex.io', written: 'updated', changes: [{ breaking: true }] })
  const types = [installed.at(-1)?.previous, installed.at(-1)?.definition].map((one) => JSON.stringify(one))
  expect(types).toEqual([
    expect.stringContaining('"text":{"type":"string"'),
    expect.stringContaining('"text":{"type":"number"'),
  ])
})

it('gets a run when it starts, hears when it works, and may end it', async () => {
  const { connect } = await server()
  const started: HostedRun[] = []
  host({ started: (one) => void started.push(one) })
  const running = run(note(), { client: connect(), log: silentLog, name: 'notes' })
  await eventually(() => started.length === 1)
  expect(started[0]?.description).toMatchObject({ name: 'notes', kinds: [{ apiVersion: 'ex.io/v1', kind: 'Note' }] })
  await started[0]?.ready
  await started[0]?.close()
  await running.done
})
