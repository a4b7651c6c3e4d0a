// The control plane of the demonstration: in memory, on a free port of loopback, for this user alone.

import { type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'
import { makeLogger } from '../log/logger.ts'
import { colonyAddOn } from '../server/colony-add-on.ts'
import { startControlPlane } from '../server/control-plane.ts'

export interface DemoControlPlane {
  readonly url: string
  readonly client: Client
  close(): Promise<void>
}

/** `directory` is for the files that the colony keeps in addition to its objects, e.g. logs. */
export async function startDemoControlPlane(directory: string): Promise<DemoControlPlane> {
  const store = new MemoryStore()
  const logger = makeLogger({ level: 'error', format: 'auto' })
  const plane = await startControlPlane({
    store,
    host: '127.0.0.1',
    port: 0,
    logger,
    addOns: [colonyAddOn(directory)],
  })
  const { url } = plane
  const client = createClient(nodeTransport({ url }))
  return {
    url,
    client,
    async close() {
      client.close()
      await plane.close()
      await store.close()
    },
  }
}
