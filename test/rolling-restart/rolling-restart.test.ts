// Servers on one store behind a balancer are restarted one after the other, while a client writes and another watches.

import { type ApiServer, startApiServer } from '@homeostat/apiserver'
import { type ApiObject, createClient, createInformers, type InformerEvent } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { Balancer } from './balancer.ts'
import { write } from './writer.ts'

const ROUNDS = 2

test('no request fails, and a watcher sees every change once and in order', async () => {
  const store = new MemoryStore({ shared: true })
  const servers = await Promise.all([start(store, 0), start(store, 0), start(store, 0)])
  const balancer = new Balancer(servers.map(({ address }) => address.port))
  onTestFinished(async () => {
    balancer.close()
    await Promise.all(servers.map((server) => server.close()))
    await store.close()
  })
  const url = await balancer.listen()
  for (const { address } of servers) await expect.poll(() => balancer.isReady(address.port)).toBe(true)
  const watcher = watch(url)
  await watcher.synced
  const writer = write(url)
  for (let round = 0; round < ROUNDS * servers.length; round++) {
    const at = round % servers.length
    const { port } = (servers[at] as ApiServer).address
    servers[at]?.drain()
    await expect.poll(() => balancer.isReady(port)).toBe(false)
    // What a delay is for: connections that are in use meet a response that ends them.
    await writer.writes(3)
    await servers[at]?.close()
    servers[at] = await start(store, port)
    await expect.poll(() => balancer.isReady(port)).toBe(true)
    await writer.writes(3)
  }
  await writer.end()
  expect(writer.failures).toEqual([])
  expect(writer.connections).toBeGreaterThan(ROUNDS)
  await expect.poll(() => watcher.revisions().at(-1)).toBe(writer.revisions.at(-1))
  expect(watcher.revisions()).toEqual(writer.revisions)
  expect(watcher.troubles).toEqual([])
})

function start(store: MemoryStore, port: number): Promise<ApiServer> {
  return startApiServer({ store, host: '127.0.0.1', port, rolesLater: true })
}

/** Follows the ConfigMaps of the writer with an informer. */
function watch(url: string) {
  const client = createClient(nodeTransport({ url }))
  const troubles: string[] = []
  const informers = createInformers(client, { onTrouble: ({ message }) => troubles.push(message) })
  onTestFinished(() => {
    informers.close()
    client.close()
  })
  const informer = informers.open<ApiObject>('v1', 'ConfigMap', { namespace: 'default', labelSelector: 'by=writer' })
  const events: InformerEvent<ApiObject>[] = []
  informer.subscribe((event) => events.push(event))
  const revisions = () => events.map(({ object }) => object.metadata.resourceVersion as string)
  return { troubles, revisions, synced: informer.whenSynced() }
}
