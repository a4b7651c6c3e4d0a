// An in-process API server with an empty store, and its clients, for this package's tests.

import { startApiServer, type User } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { type Client, type ClientOptions, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'

export interface TestServer {
  readonly client: Client
  /** Another client with its own connections; closed with the server. */
  connect(user?: User, options?: ClientOptions): Client
  close(): Promise<void>
}

export async function startTestServer(options: { readonly clock?: Clock } = {}): Promise<TestServer> {
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: undefined, ...options })
  const clients: Client[] = []
  const connect = (user?: User, clientOptions?: ClientOptions) => {
    const transport = nodeTransport({ url: 'http://localhost', connect: () => server.connect(user) })
    const client = createClient(transport, clientOptions)
    clients.push(client)
    return client
  }
  return {
    client: connect(),
    connect,
    async close() {
      for (const client of clients) client.close()
      await server.close()
      await store.close()
    },
  }
}
