// A server in this process, on memory, and a client that reaches it over TCP.

import { startApiServer } from '@homeostat/apiserver'
import { type Client, type ClientOptions, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'
import { widgetDefinition } from '../widgets.ts'

export interface ServedClient {
  readonly client: Client
  readonly url: string
  close(): Promise<void>
}

/** The server knows Widgets. Call `close` when the tests are over. */
export async function servedClient(options: ClientOptions = {}): Promise<ServedClient> {
  const store = new MemoryStore()
  const definitions = [widgetDefinition]
  const server = await startApiServer({ host: '127.0.0.1', port: 0, store, definitions })
  const url = `http://127.0.0.1:${server.address.port}`
  const client = createClient(nodeTransport({ url }), options)
  return {
    client,
    url,
    async close() {
      client.close()
      await server.close()
      await store.close()
    },
  }
}
