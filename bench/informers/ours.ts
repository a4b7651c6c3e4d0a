// Holds the items with an informer of ours, in a process of its own.

import { type ApiObject, createClient, createInformers } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { watchItems } from './watched.ts'

interface Item extends ApiObject {
  readonly spec: { readonly release: string }
}

watchItems(async (port, onItem) => {
  const client = createClient(nodeTransport({ url: `http://127.0.0.1:${port}` }))
  const informer = createInformers(client).open<Item>('bench.example.com/v1', 'Item', { namespace: 'bench' })
  informer.subscribe(({ object }) => onItem(object.spec.release))
  await informer.whenSynced()
})
