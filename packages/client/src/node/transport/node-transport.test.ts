import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { Duplex, duplexPair } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { answering, answerJson } from '../../../test/answering-server.ts'
import { readJson, readText } from '../../response/read-body.ts'
import type { Credential } from '../credentials/credentials.ts'
import { type NodeTransportOptions, nodeTransport } from './node-transport.ts'

function transportTo(url: string, options: Partial<NodeTransportOptions> = {}) {
  const transport = nodeTransport({ url, ...options })
  onTestFinished(() => transport.close())
  return transport
}

const GET = { method: 'GET', path: '/' }

test('a request carries its path, headers and body, and the response its status, headers and bytes', async () => {
  const server = await answering((request, response, body) =>
    answerJson(response, 201, { url: request.url, headers: request.headers, body }, { 'x-seen': 'yes' }),
  )
  const transport = transportTo(`${server.url}/base/`, { headers: { 'x-all': '1' } })
  const answer = await transport.send({
    method: 'POST',
    path: '/a?b=c',
    headers: { 'content-type': 'x/y' },
    body: 'é',
  })
  expect([answer.status, answer.header('X-Seen'), answer.header('x-missing')]).toEqual([201, 'yes', undefined])
  expect(await readJson(answer)).toMatchObject({
    url: '/base/a?b=c',
    headers: { 'x-all': '1', 'content-type': 'x/y', 'content-length': '2', 'user-agent': 'homeostat-client' },
    body: 'é',
  })
})

test('one connection serves requests after each other', async () => {
  const server = await answering((_, response) => answerJson(response, 200, {}))
  const transport = transportTo(server.url)
  for (let i = 0; i < 5; i++) await readText(await transport.send(GET))
  expect(server.sockets.size).toBe(1)
})

test('an aborted request rejects with the reason and closes its connection', async () => {
  const abort = new AbortController()
  const server = await answering(() => abort.abort('enough'))
  const transport = transportTo(server.url)
  await expect(transport.send({ ...GET, signal: abort.signal })).rejects.toBe('enough')
  await server.idle()
  await expect(transport.send({ ...GET, signal: abort.signal })).rejects.toBe('enough')
  expect(server.asked).toHaveLength(1)
})

test('a signal ends the reading of a response with its reason', async () => {
  const server = await answering((_, response) => void response.writeHead(200).write('first'))
  const transport = transportTo(server.url)
  const abort = new AbortController()
  const { body } = await transport.send({ ...GET, signal: abort.signal })
  const reading = body[Symbol.asyncIterator]()
  expect((await reading.next()).value.toString()).toBe('first')
  const next = reading.next()
  abort.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
  await server.idle()
})

test('a response that nobody goes on reading ends its request', async () => {
  const server = await answering((_, response) => void response.writeHead(200).write('first'))
  const { body } = await transportTo(server.url).send(GET)
  for await (const _ of body) break
  await server.idle()
})

test('no listener stays on a signal that many requests share', async () => {
  const server = await answering((request, response) => {
    if (request.url === '/broken') response.destroy()
    else answerJson(response, 200, {})
  })
  const transport = transportTo(server.url)
  const { signal } = new AbortController()
  for (let i = 0; i < 3; i++) {
    await readText(await transport.send({ ...GET, signal }))
    await expect(transport.send({ method: 'GET', path: '/broken', signal })).rejects.toThrow('socket hang up')
  }
  while (getEventListeners(signal, 'abort').length > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('a connection that breaks is an error, before the response and within it, and when nobody reads', async () => {
  const server = await answering((request, response) => {
    if (request.url === '/before') return void response.destroy()
    response.writeHead(200).write('some')
    setImmediate(() => response.destroy())
  })
  const transport = transportTo(server.url)
  await expect(transport.send({ method: 'GET', path: '/before' })).rejects.toThrow('socket hang up')
  await expect(readText(await transport.send(GET))).rejects.toThrow('broke before the response ended')
  await transport.send(GET)
  await server.idle()
})

test('a server that is not there is an error with its code', async () => {
  await expect(transportTo('http://127.0.0.1:1').send(GET)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a server that takes a connection and never greets is given up', async () => {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const greeting = transportTo(url, { connectTimeout: '20ms' }).send(GET)
  await expect(greeting).rejects.toMatchObject({ code: 'UNCONNECTED' })
})

test('closing ends what is under way and refuses more', async () => {
  const server = await answering((_, response) => void response.writeHead(200).write('some'))
  const transport = transportTo(server.url)
  const { body } = await transport.send(GET)
  const reading = body[Symbol.asyncIterator]()
  await reading.next()
  const next = reading.next()
  transport.close()
  transport.close()
  await expect(next).rejects.toThrow('the transport was closed')
  await expect(transport.send(GET)).rejects.toThrow('the transport was closed')
  await server.idle()
})

test('a stream inside this process takes the place of TCP, and is kept for the next request', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/stream') response.writeHead(200).write('first')
    else answerJson(response, 200, { url: request.url })
  })
  let connections = 0
  const ended: Promise<unknown>[] = []
  const transport = transportTo('http://inside', {
    connect() {
      connections++
      const [client, far] = duplexPair()
      // A duplex pair does not propagate the close to the other end, as a socket does.
      client.on('close', () => far.destroy())
      ended.push(once(far, 'close'))
      server.emit('connection', far)
      return client
    },
  })
  for (const path of ['/a', '/b', '/c']) {
    expect(await readJson(await transport.send({ method: 'GET', path }))).toEqual({ url: path })
  }
  expect(connections).toBe(1)
  const { body } = await transport.send({ method: 'GET', path: '/stream' })
  for await (const _ of body) break
  await Promise.all(ended)
})

const nobody = new Error('nobody there')
/** Connections that fail: while they open, before the request, and after it. */
const failing: [string, string, () => Duplex][] = [
  ['is never made', nobody.message, () => never()],
  ['is destroyed with an error', nobody.message, () => new Duplex().destroy(nobody)],
  ['is destroyed without one', 'the connection was closed', () => new Duplex().destroy()],
  ['breaks at the first byte', nobody.message, () => new Duplex({ read() {}, write: (_, __, done) => done(nobody) })],
]
function never(): never {
  throw nobody
}

test.each(failing)('a stream that %s is an error of its request', async (_, message, connect) => {
  const transport = transportTo('http://inside', { connect })
  for (let i = 0; i < 2; i++) await expect(transport.send(GET)).rejects.toThrow(message)
})

test('credentials are asked for each request, and once more when the server refuses them', async () => {
  const server = await answering((request, response) =>
    answerJson(response, request.headers.authorization === 'Bearer 2' ? 200 : 401, {}),
  )
  const tokens = ['Bearer 1', 'Bearer 2']
  let current: Credential | undefined
  const transport = transportTo(server.url, {
    credentials: {
      async get() {
        current ??= { headers: { authorization: tokens.shift() ?? 'none', 'impersonate-group': ['a', 'b'] } }
        return current
      },
      refused(credential) {
        if (credential === current) current = undefined
        return true
      },
    },
  })
  expect((await transport.send({ ...GET, method: 'POST', body: '{}' })).status).toBe(200)
  expect((await transport.send(GET)).status).toBe(200)
  expect(server.asked).toHaveLength(3)
  current = undefined
  expect((await transport.send(GET)).status).toBe(401)
})

test('what is no URL of a server is said to be so', () => {
  for (const url of ['', 'localhost:6443', 'ftp://x']) expect(() => nodeTransport({ url })).toThrow('is not the URL')
})
