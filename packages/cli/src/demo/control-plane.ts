// The control plane of the demonstration: in memory, on a free port of loopback, for this user alone.

import { startApiServer } from '@homeostat/apiserver'
import { type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'
import { makeLogger } from '../log/logger.ts'
import { definitionsOf, runAddOns } from '../server/add-ons.ts'
import { colonyAddOn } from '../server/colony-add-on.ts'
import { baseUrl } from '../server/loopback.ts'

export interface ControlPlane {
  readonly url: string
  readonly client: Client
  close(): Promise<void>
}

const HOST = '127.0.0.1'

/** `directory` is for the files that the colony keeps in addition to its objects, e.g. logs. */
export async function startControlPlane(directory: string): Promise<ControlPlane> {
  const store = new MemoryStore()
  const addOns = [colonyAddOn(directory)]
  const logger = makeLogger({ level: 'error', format: 'auto' })
  const server = await startApiServer({
    store,
    host: HOST,
    port: 0,
    logger,
    definitions: definitionsOf(addOns),
    extensions: addOns.flatMap((addOn) => addOn.extensions ?? []),
    rules: addOns.flatMap((addOn) => addOn.rules ?? []),
  })
  const working = new AbortController()
  const work = runAddOns(server, addOns, logger, working.signal)
  const url = baseUrl(HOST, server.address.port)
  const client = createClient(nodeTransport({ url }))
  return {
    url,
    client,
    async close() {
      client.close()
      working.abort()
      await work
      await server.close()
      await store.close()
    },
  }
}
