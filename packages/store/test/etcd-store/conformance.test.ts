// The etcd driver keeps the store's contract, on one member and on three. Each store has a prefix of its own.

import { afterAll, beforeAll, describe } from 'vitest'
import { storeConformance, type TestLimits } from '../../src/conformance/index.ts'
import { openEtcdStore } from '../../src/etcd/open.ts'
import { type EtcdCluster, startEtcd } from '../etcd/etcd-cluster.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'

describe.skipIf(etcdMissing() !== undefined).for([1, 3])('on %i members', (members) => {
  let cluster: EtcdCluster
  let stores = 0
  beforeAll(async () => {
    cluster = await startEtcd({
      members,
      fsync: false,
      electionMs: 300,
      flags: ['--watch-progress-notify-interval=100ms'],
    })
  })
  afterAll(() => cluster?.close())

  storeConformance('etcd', async (limits: TestLimits = {}) => {
    const options = {
      endpoints: cluster.endpoints,
      prefix: `/test/${++stores}`,
      ...(limits.bytes !== undefined && { historyBytes: limits.bytes }),
      ...(limits.kindBytes !== undefined && { historyKindBytes: limits.kindBytes }),
    }
    const under = {
      store: await openEtcdStore(options),
      commitsOneByOne: true as const,
      reopen: async () => {
        await under.store.close()
        under.store = await openEtcdStore(options)
        return under.store
      },
      dispose: () => under.store.close(),
    }
    return under
  })
})
