// Holds the items with the informer of @kubernetes/client-node, in a process of its own. The package is installed for
// the tests with real clients, so it is looked for there.

import { createRequire } from 'node:module'
import { watchItems } from './watched.ts'

interface Item {
  readonly spec: { readonly release: string }
}

/** As much of the package as is used here. */
interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromOptions(options: object): void
    makeApiClient(type: unknown): { listNamespacedCustomObject(of: object): Promise<unknown> }
  }
  readonly CustomObjectsApi: unknown
  makeInformer(
    config: object,
    path: string,
    list: () => Promise<unknown>,
  ): { on(verb: string, callback: (item: Item) => void): void; start(): Promise<void> }
}

const require = createRequire(new URL('../../test/clients/node/package.json', import.meta.url))
const { KubeConfig, CustomObjectsApi, makeInformer } = (await import(
  require.resolve('@kubernetes/client-node')
)) as ClientNode

watchItems(async (port, onItem) => {
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'bench', server: `http://127.0.0.1:${port}`, skipTLSVerify: true }],
    users: [{ name: 'bench' }],
    contexts: [{ name: 'bench', cluster: 'bench', user: 'bench' }],
    currentContext: 'bench',
  })
  const custom = config.makeApiClient(CustomObjectsApi)
  const items = { group: 'bench.example.com', version: 'v1', namespace: 'bench', plural: 'items' }
  const path = '/apis/bench.example.com/v1/namespaces/bench/items'
  const informer = makeInformer(config, path, () => custom.listNamespacedCustomObject(items))
  for (const verb of ['add', 'update']) informer.on(verb, ({ spec }) => onItem(spec.release))
  await informer.start()
})
