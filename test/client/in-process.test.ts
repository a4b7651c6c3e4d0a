// The client on a stream to a server in this process, which listens nowhere.

import { startApiServer } from '@homeostat/apiserver'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'

async function inProcess() {
  const store = new MemoryStore()
  const server = await startApiServer({ host: '127.0.0.1', port: undefined, store })
  let connections = 0
  const connect = () => {
    connections++
    return server.connect()
  }
  const client = createClient(nodeTransport({ url: 'http://localhost', connect }))
  onTestFinished(async () => {
    client.close()
    await server.close()
    await store.close()
  })
  return { client, server, connections: () => connections }
}

test('a client in the same process reads, writes and watches, on connections that it keeps', async () => {
  const { client, connections } = await inProcess()
  const maps = client.resource('v1', 'ConfigMap')
  const watch = maps.watch({ namespace: 'default', sendInitialEvents: true, allowBookmarks: true })
  const events = watch[Symbol.asyncIterator]()
  let event = await events.next()
  while (!event.done && event.value.type !== 'BOOKMARK') event = await events.next()
  for (let i = 0; i < 50; i++) {
    const name = { name: `map-${i}`, namespace: 'default' }
    await maps.create({ metadata: name, data: { text: 'x'.repeat(i * 1000) } })
    const { value } = await events.next()
    expect(value?.object.metadata.name).toBe(name.name)
  }
  await events.return?.()
  expect((await maps.list({ namespace: 'default', limit: 7 })).items.length).toBeGreaterThanOrEqual(50)
  expect(connections()).toBeLessThanOrEqual(3)
})

test('a server that ends says so to the clients inside', async () => {
  const { client, server } = await inProcess()
  const maps = client.resource('v1', 'ConfigMap')
  await maps.list()
  const events = maps.watch({ namespace: 'default' })[Symbol.asyncIterator]()
  await events.next()
  const ended = events.next()
  await server.close()
  expect(await ended).toEqual({ done: true, value: undefined })
  await expect(maps.list()).rejects.toThrow('the server has ended')
})

test('an integer beyond 2^53 is written back with all its digits', async () => {
  const { client } = await inProcess()
  const revisions = client.resource('apps/v1', 'ControllerRevision')
  const at = { name: 'one', namespace: 'default' }
  const events = revisions.watch({ namespace: 'default', sendInitialEvents: true })[Symbol.asyncIterator]()
  const data = { count: 9223372036854775807n } as never
  await revisions.create({ metadata: at, revision: 1, data })
  const read = await revisions.get(at)
  expect(read.data).toEqual(data)
  expect((await events.next()).value?.object.data).toEqual(data)
  await events.return?.()
  const written = await revisions.update({ ...read, revision: 2 })
  expect(written).toMatchObject({ revision: 2, data })
})
