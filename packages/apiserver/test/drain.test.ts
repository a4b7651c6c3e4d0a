// A server that is about to end says so, goes on serving, and sends its clients elsewhere.

import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import { startApiServer } from '../src/index.ts'
import { AUTHORITY, ask, clientCertificate, serveSecurely } from './secure.ts'

const NAMESPACES = '/api/v1/namespaces'

async function served() {
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: 0, rolesLater: true })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const { port } = server.address
  const answer = async (path: string): Promise<IncomingMessage> => {
    const [response] = await once(get({ host: '127.0.0.1', port, path, agent }), 'response')
    return response
  }
  const read = async (path: string) => {
    const response = await answer(path)
    const text = (await response.setEncoding('utf8').toArray()).join('')
    return { status: response.statusCode, connection: response.headers.connection, text }
  }
  return { server, answer, read }
}

it('readyz fails, and everything else is still answered, each time on the last use of a connection', async () => {
  const { server, read } = await served()
  expect(await read('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  server.drain()
  expect(await read('/readyz')).toMatchObject({
    status: 500,
    text: expect.stringContaining('[-]shutdown failed: the server is about to end'),
  })
  expect(await read('/livez')).toMatchObject({ status: 200 })
  expect(await read(NAMESPACES)).toMatchObject({ status: 200, connection: 'close' })
})

it('a watch goes on, and ends with the server, after a whole event and with its connection', async () => {
  const { server, answer, read } = await served()
  const watch = await answer(`${NAMESPACES}?watch=1&resourceVersion=0`)
  const closed = once(watch.socket, 'close')
  server.drain()
  const isOpen = await read(NAMESPACES)
  expect(isOpen.status).toBe(200)
  expect(watch.readableEnded).toBe(false)
  const ended = server.close()
  const lines = (await watch.setEncoding('utf8').toArray()).join('').split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line).type)).toContain('ADDED')
  await closed
  await ended
})

it('over HTTP/2 a session is asked to end, and serves what is sent on it all the same', async () => {
  const { server, http2 } = await serveSecurely()
  const session = http2(clientCertificate(AUTHORITY))
  expect((await ask(session, { ':path': NAMESPACES })).status).toBe(200)
  const watch = session.request({ ':path': `${NAMESPACES}?watch=1` })
  await once(watch, 'response')
  const announced = once(session, 'goaway')
  server.drain()
  expect((await announced).slice(0, 2)).toEqual([0, 2 ** 31 - 1])
  expect(watch.closed).toBe(false)
  const later = http2(clientCertificate(AUTHORITY))
  const told = once(later, 'goaway')
  expect((await ask(later, { ':path': NAMESPACES })).status).toBe(200)
  await told
})
