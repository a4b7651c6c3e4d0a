// Where no faults are drawn, a server's view of the cluster is a store like any other.

import { storeConformance } from '@homeostat/store/conformance'
import { Cluster } from './cluster.ts'

storeConformance('cluster', async (history) => {
  const cluster = new Cluster({ truth: history === undefined ? {} : { history } })
  const store = await cluster.view('a')
  return {
    store,
    async reopen() {
      await store.close()
      return cluster.view('b')
    },
    dispose: () => cluster.close(),
  }
})
