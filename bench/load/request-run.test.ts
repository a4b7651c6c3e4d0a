import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { requestText } from '../items/request-text.ts'
import { RequestRun } from './request-run.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

test('each number is sent once, over all connections, and a second run goes on counting', async () => {
  const { port, seen } = await serve(201)
  const text = requestText(port, { method: 'POST', path: '/{k}', body: '{"name":"{n}"}' })
  const run = await RequestRun.open({
    port,
    connections: 3,
    count: 5,
    first: 10,
    cycle: 4,
    stride: 3,
    text,
    status: 201,
  })
  closing.push(() => run.close())
  expect((await run.run()).latencies).toHaveLength(5)
  await run.run()
  expect(seen.toSorted()).toEqual(
    Array.from({ length: 10 }, (_, i) => `/0000000${((10 + i) * 3) % 4} {"name":"000000${10 + i}"}`).toSorted(),
  )
})

test('an unexpected status ends the run with what the server said', async () => {
  const { port } = await serve(409)
  const text = requestText(port, { method: 'POST', path: '/', body: '{}' })
  const run = await RequestRun.open({ port, connections: 1, count: 1, text, status: 201 })
  closing.push(() => run.close())
  await expect(run.run()).rejects.toThrow('expected status 201, got 409: said so')
})

async function serve(status: number): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push(`${request.url} ${body}`)
      response.writeHead(status).end('said so')
    })
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  return { port: address !== null && typeof address === 'object' ? address.port : 0, seen }
}
