import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { answering, answerJson } from '../test/answering-server.ts'
import { type FetchTransportOptions, fetchTransport } from './fetch-transport.ts'
import { readJson, readText } from './response/read-body.ts'

function transportTo(baseUrl: string, options: Partial<FetchTransportOptions> = {}) {
  const transport = fetchTransport({ baseUrl, ...options })
  onTestFinished(() => transport.close())
  return transport
}

const GET = { method: 'GET', path: '/' }

test('a request carries its path, headers and body, and the response its status, headers and bytes', async () => {
  const server = await answering((request, response, body) =>
    answerJson(response, 201, { url: request.url, headers: request.headers, body }, { 'x-seen': 'yes' }),
  )
  const transport = transportTo(`${server.url}/base/`, { headers: async () => ({ 'x-all': '1' }) })
  const answer = await transport.send({ method: 'POST', path: '/a?b=c', headers: { 'content-type': 'x/y' }, body: 'é' })
  expect([answer.status, answer.header('X-Seen'), answer.header('x-missing')]).toEqual([201, 'yes', undefined])
  expect(await readJson(answer)).toMatchObject({
    url: '/base/a?b=c',
    headers: { 'x-all': '1', 'content-type': 'x/y' },
    body: 'é',
  })
})

test('a signal ends a request, and the reading of a response, with its reason', async () => {
  const server = await answering((request, response) => {
    if (request.url === '/quiet') abort.abort('enough')
    else response.writeHead(200).write('first')
  })
  let abort = new AbortController()
  const transport = transportTo(server.url)
  await expect(transport.send({ method: 'GET', path: '/quiet', signal: abort.signal })).rejects.toBe('enough')
  abort = new AbortController()
  const { body } = await transport.send({ ...GET, signal: abort.signal })
  const reading = body[Symbol.asyncIterator]()
  await reading.next()
  const next = reading.next()
  abort.abort('later')
  await expect(next).rejects.toBe('later')
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0)
  await server.idle()
})

test('a response that nobody goes on reading ends its request', async () => {
  const server = await answering((_, response) => void response.writeHead(200).write('first'))
  const { signal } = new AbortController()
  const { body } = await transportTo(server.url).send({ ...GET, signal })
  for await (const _ of body) break
  await server.idle()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('a response that was read to its end is not aborted: a browser would close its connection', async () => {
  const server = await answering((_, response) => answerJson(response, 200, {}))
  const signals: (AbortSignal | null | undefined)[] = []
  const noting: typeof fetch = (url, init) => {
    signals.push(init?.signal)
    return fetch(url, init)
  }
  await readJson(await transportTo(server.url, { fetch: noting }).send(GET))
  expect(signals.map((signal) => signal?.aborted)).toEqual([false])
})

test('a connection that breaks is an error', async () => {
  const server = await answering((request, response) => {
    if (request.url === '/before') return void response.destroy()
    response.writeHead(200).write('some')
    setImmediate(() => response.destroy())
  })
  const transport = transportTo(server.url)
  await expect(transport.send({ method: 'GET', path: '/before' })).rejects.toThrow('fetch failed')
  await expect(transport.send(GET).then((answer) => readText(answer))).rejects.toThrow()
})

test('closing ends what is under way and refuses more', async () => {
  const server = await answering((_, response) => void response.writeHead(200).write('some'))
  const transport = transportTo(server.url)
  const reading = (await transport.send(GET)).body[Symbol.asyncIterator]()
  await reading.next()
  const next = reading.next()
  transport.close()
  await expect(next).rejects.toThrow('the transport was closed')
  await expect(transport.send(GET)).rejects.toThrow('the transport was closed')
})
