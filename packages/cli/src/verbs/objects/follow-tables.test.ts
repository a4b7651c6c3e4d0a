// What a person at `get -w` never notices: watches that end, break or expire. A transport in front of a real server does that.

import { createClient, type Transport, type TransportRequest } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServedKinds } from '../../access/served-kinds.ts'
import { listTable, type ServerTable, TABLE } from '../../access/tables.ts'
import { type TestCommand, testCommand } from '../colony.fixture.ts'
import { followTables } from './follow-tables.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

type Hindrance = (request: TransportRequest, send: Transport['send']) => ReturnType<Transport['send']>

const expired: Hindrance = async () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    message: 'too old',
    code: 410,
  }
  const line = `${JSON.stringify({ type: 'ERROR', object: status })}\n`
  return {
    status: 200,
    header: () => undefined,
    body: (async function* () {
      yield Buffer.from(line)
    })(),
  }
}
const ended: Hindrance = async () => ({ status: 200, header: () => undefined, body: (async function* () {})() })
const broken: Hindrance = async (request, send) => {
  const answer = await send(request)
  return {
    ...answer,
    header: (name) => answer.header(name),
    body: (async function* () {
      for await (const chunk of answer.body) {
        yield chunk
        throw new Error('the connection broke')
      }
    })(),
  }
}

test.each([
  ['expired', expired],
  ['ended', ended],
])('a watch that has %s goes on, and what happened meanwhile is shown once', async (name, hindrance) => {
  const namespace = `follow-${name}`
  const { rows, seen, maps, make, close } = await following(namespace, [hindrance], 'meanwhile')
  await make('later')
  await expect.poll(() => rows().filter((row) => row !== 'kube-root-ca.crt')).toEqual(['meanwhile', 'later'])
  await maps.delete({ name: 'later', namespace })
  await expect.poll(() => rows().filter((row) => row !== 'kube-root-ca.crt')).toEqual(['meanwhile', 'later', 'later'])
  expect(new Set(seen.map(({ columns }) => columns.length))).toEqual(new Set([3]))
  await close()
})

test('a connection that breaks after an event is reported once, and no event comes twice', async () => {
  const namespace = 'follow-broken'
  const { rows, make, close, troubles } = await following(namespace, [broken, broken])
  for (const name of ['a', 'b', 'c']) {
    await make(name)
    await expect.poll(() => rows()).toContain(name)
  }
  expect(rows().filter((row) => row !== 'kube-root-ca.crt')).toEqual(['a', 'b', 'c'])
  expect(troubles.length).toBeGreaterThan(0)
  await close()
})

/** Follows ConfigMaps through a transport that hinders the first watches. `meanwhile` is made before the first one starts. */
async function following(namespace: string, hindrances: Hindrance[], meanwhile?: string) {
  const real = nodeTransport({ url: command.url })
  const left = [...hindrances]
  let forgotten: string | undefined
  const transport: Transport = {
    send: (request) => {
      const isOld = new URL(request.path, command.url).searchParams.get('resourceVersion') === forgotten
      const isWatch = request.path.includes('watch=true')
      // A server that has forgotten a revision does not remember it later.
      if (isWatch && left[0] === expired) forgotten = first.revision
      const hindrance = isWatch ? (left.shift() ?? (isOld && forgotten ? expired : undefined)) : undefined
      return hindrance === undefined ? real.send(request) : hindrance(request, real.send.bind(real))
    },
    close: () => real.close(),
  }
  const client = createClient(transport)
  await command.client.resource('v1', 'Namespace').create({ metadata: { name: namespace } })
  const kind = (await ServedKinds.read(client)).one('configmaps')
  const maps = command.client.resource('v1', 'ConfigMap')
  const make = (name: string) => maps.create({ metadata: { name, namespace } })
  const selection = { namespace }
  const list = () => listTable(client, kind, selection)
  await expect.poll(async () => (await list()).rows.length).toBe(1)
  const first = await list()
  if (meanwhile !== undefined) await make(meanwhile)
  const stop = new AbortController()
  const seen: ServerTable[] = []
  const troubles: string[] = []
  const onTrouble = (message: string) => void troubles.push(message)
  const work = (async () => {
    const followed = { kind, selection, accept: TABLE, list, onTrouble }
    for await (const table of followTables(client, first, followed, stop.signal)) seen.push(table)
  })()
  const close = async () => {
    stop.abort()
    await work
    client.close()
  }
  const rows = () => seen.flatMap((table) => table.rows.map(({ object }) => object.metadata.name))
  return { rows, seen, maps, make, close, troubles }
}
