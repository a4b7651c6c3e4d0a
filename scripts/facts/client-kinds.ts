// Makes the types of the client's built-in kinds from the OpenAPI documents of our own server.

import { startApiServer } from '@homeostat/apiserver'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { kindFiles, readDocuments } from '@homeostat/client/types'
import { MemoryStore } from '@homeostat/store'

/** Texts by file name. */
export async function clientKinds(): Promise<Map<string, string>> {
  const store = new MemoryStore()
  const server = await startApiServer({ host: '127.0.0.1', port: 0, store })
  const client = createClient(nodeTransport({ url: `http://127.0.0.1:${server.address.port}` }))
  try {
    return kindFiles(await readDocuments(client, () => true))
  } finally {
    client.close()
    await server.close()
    await store.close()
  }
}
