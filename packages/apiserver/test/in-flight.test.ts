// The limits of requests in flight, large responses and connections, and what happens beyond them.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { encodeObject } from '@homeostat/meta/server'
import { expect, it, onTestFinished } from 'vitest'
import { RESPONSE_BYTES } from '../src/exchange/response-budget.ts'
import type { ApiServerOptions } from '../src/index.ts'
import { CONFIG_MAPS, configMap } from './definitions.ts'
import { serve, type TestServer } from './server.ts'

async function start(options: Omit<Partial<ApiServerOptions>, 'store'>): Promise<TestServer> {
  const server = await serve(options)
  onTestFinished(() => server.close())
  return server
}

/** Sends half of a POST, which is in flight until it is completed or the connection is destroyed. */
async function halfOfAPost({ port }: TestServer, name: string): Promise<{ complete(): Promise<string>; cut(): void }> {
  const body = JSON.stringify(configMap(name))
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  return {
    cut: () => socket.destroy(),
    complete: () => {
      socket.write(body.slice(10))
      return textOf(socket)
    },
  }
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

const inFlight = async (server: TestServer, kind: 'readOnly' | 'mutating', metric = 'current_inflight_requests') =>
  Number(
    new RegExp(`apiserver_${metric}{request_kind="${kind}"} (\\d+)`).exec((await server.get('/metrics')).text)?.[1],
  )

/** Tables show metadata, and no data. */
const ANNOTATED = { text: 'x'.repeat(1 << 20) }

it('writes beyond the limit wait and go on in their turn; reads, watches and health do not wait for them', async () => {
  const server = await start({ inFlight: { writes: 1 } })
  const first = await halfOfAPost(server, 'first')
  await eventually(async () => (await inFlight(server, 'mutating')) === 1)
  const second = server.post(CONFIG_MAPS, configMap('second'))
  await eventually(async () => (await inFlight(server, 'mutating', 'current_inqueue_requests')) === 1)
  expect((await server.get(`${CONFIG_MAPS}/second`)).status).toBe(404)
  expect((await server.get('/readyz')).text).toBe('ok')
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true`)
  expect(await first.complete()).toContain('201 Created')
  expect((await second).status).toBe(201)
  expect((await watch.next()).object.metadata.name).toBeDefined()
  expect(await inFlight(server, 'mutating')).toBe(0)
})

it('a request that waits too long gets a Retry-After', async () => {
  const server = await start({ inFlight: { writes: 1, waitMs: 20 } })
  const first = await halfOfAPost(server, 'first')
  await eventually(async () => (await inFlight(server, 'mutating')) === 1)
  const { status, headers, body } = await server.post(CONFIG_MAPS, configMap('second'))
  expect({ status, retry: headers.get('retry-after'), kind: body.kind, reason: body.reason }).toEqual({
    status: 429,
    retry: '1',
    kind: 'Status',
    reason: 'TooManyRequests',
  })
  expect(await inFlight(server, 'mutating', 'dropped_requests_total')).toBe(1)
  // A client that disconnects frees its place.
  first.cut()
  await eventually(async () => (await inFlight(server, 'mutating')) === 0)
  expect((await server.post(CONFIG_MAPS, configMap('third'))).status).toBe(201)
})

/** Requests a large list and reads nothing of the response. */
async function stalledClients({ port }: TestServer, count: number, query = '', headers = ''): Promise<void> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.pause()
      socket.write(`GET ${CONFIG_MAPS}${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`)
      return socket
    }),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
}

const answersWaiting = async (server: TestServer) =>
  Number(/homeostat_answers_waiting (\d+)/.exec((await server.get('/metrics')).text)?.[1])

it('clients that do not read their large lists are not waited for when others want theirs', async () => {
  const clock = new ManualClock(Date.now())
  const server = await start({ inFlight: { reads: 1000 }, clock })
  await seed(server, 60)
  // Each takes 4 MiB of 64.
  await stalledClients(server, 16)
  await eventually(async () => (await inFlight(server, 'readOnly')) >= 16)
  // Small answers go out beside them.
  expect((await server.get(`${CONFIG_MAPS}/c0`)).status).toBe(200)
  const list = server.get(CONFIG_MAPS)
  await eventually(async () => (await answersWaiting(server)) === 1)
  clock.advance(5_000)
  expect((await list).body.items.length).toBeGreaterThanOrEqual(60)
})

// All of a collection as plain JSON is sent from the buffers that the cache has anyway.
it.each([
  ['JSON of chosen objects', '?labelSelector=!none', ''],
  ['indented JSON, as curl asks for', '', 'User-Agent: curl/8\r\n'],
  ['protobuf', '', 'Accept: application/vnd.kubernetes.protobuf\r\n'],
  ['a Table', '', 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n'],
])('answers under way hold no more than 64 MiB together, in %s', async (_, query, headers) => {
  const responses = new Set<ServerResponse>()
  let most = 0
  // Measures whenever bytes may have been added.
  const count = () => {
    const held = [...responses].reduce((sum, { socket }) => sum + (socket?.writableLength ?? 0), 0)
    most = Math.max(most, held)
  }
  const started = (message: unknown) => responses.add((message as { response: ServerResponse }).response)
  subscribe('http.server.request.start', started)
  onTestFinished(() => void unsubscribe('http.server.request.start', started))
  const server = await start({ inFlight: { reads: 1000 }, clock: new ManualClock(Date.now()) })
  await seed(server, 20, headers.includes('Table') ? ANNOTATED : {})
  responses.clear()
  const looks = setInterval(count, 1)
  onTestFinished(() => clearInterval(looks))
  await stalledClients(server, 24, query, headers)
  await eventually(async () => (await answersWaiting(server)) === 8)
  count()
  // Each of the lists has 20 MiB, and each write its last object of 1 MiB.
  expect(most).toBeLessThanOrEqual(RESPONSE_BYTES + (16 << 20))
})

it('a list that is made for people takes no more memory than it sends at once', async () => {
  const server = await start({})
  await seed(server, 5)
  const plain = (await server.get(CONFIG_MAPS)).body
  const { headers, text } = await server.get(`${CONFIG_MAPS}?pretty=true`)
  // Its length is not known in advance.
  expect(headers.get('content-length')).toBeNull()
  expect(text).toBe(`${JSON.stringify(plain, null, 2)}\n`)
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const rows = (await server.get(CONFIG_MAPS, { accept: table })).body.rows as unknown[]
  expect(rows).toHaveLength(plain.items.length)
  const head = await server.send('HEAD', `${CONFIG_MAPS}?pretty=true`)
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
})

it('many pipelined requests of one connection leave room for others', async () => {
  const server = await start({ inFlight: { reads: 4, waitMs: 100 } })
  await seed(server, 20)
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(`GET ${CONFIG_MAPS} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`.repeat(20))
  await eventually(async () => (await inFlight(server, 'readOnly')) >= 2)
  expect((await server.get(`${CONFIG_MAPS}/c0`)).status).toBe(200)
  expect(await inFlight(server, 'readOnly')).toBe(2)
})

it('pipelined requests for large responses are answered in order', async () => {
  const server = await start({})
  await seed(server, 10)
  const request = (more: string, path = CONFIG_MAPS) =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${more}\r\n`
  const text = await server.raw(
    request('') +
      request('', `${CONFIG_MAPS}/c0`) +
      request('') +
      request('Connection: close\r\n', `${CONFIG_MAPS}/c1`),
  )
  const kinds = [...text.matchAll(/\r\n\r\n\{"kind":"(\w+)"|\r\n\r\n\{"apiVersion":"v1","kind":"(\w+)"/g)]
  expect(kinds.map(([, list, object]) => list ?? object)).toEqual([
    'ConfigMapList',
    'ConfigMap',
    'ConfigMapList',
    'ConfigMap',
  ])
})

it('connections beyond the limit are closed', async () => {
  const server = await start({ maxConnections: 1 })
  const first = connect(server.port, '127.0.0.1')
  onTestFinished(() => void first.destroy())
  first.write(`GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
  expect(String((await once(first, 'data'))[0])).toContain('200 OK')
  const second = connect(server.port, '127.0.0.1')
  second.on('error', () => {})
  await once(second, 'close')
  first.write(`GET /livez HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
  expect(String((await once(first, 'data'))[0])).toContain('200 OK')
})

it('a request that does not come to its end is ended when its time is over', async () => {
  const server = await start({ timeouts: { headersMs: 100, requestMs: 200 } })
  const head = `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`
  expect(await server.raw(head)).toContain('408 Request Timeout')
  expect(await server.raw(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)).toContain('408')
})

/** Objects of about 1 MiB, straight into the store. */
async function seed(server: TestServer, count: number, annotations: Record<string, string> = {}): Promise<void> {
  const note = { time: 0, user: 'test', manager: 'test' }
  for (let i = 0; i < count; i++) {
    const creationTimestamp = '2026-01-01T00:00:00Z'
    const metadata = { name: `c${i}`, namespace: 'default', uid: `uid-${i}`, creationTimestamp, annotations }
    const value = encodeObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(1 << 20) } })
    await server.store.put(`core/configmaps/default/c${i}`, value, undefined, note)
  }
  await eventually(async () => (await server.get(`${CONFIG_MAPS}/c${count - 1}`)).status === 200)
}
