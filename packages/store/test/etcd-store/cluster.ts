// What the tests of the etcd driver share: a cluster for a file of tests, a store in a prefix of its own, and the log as it is
// in the end.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { changesUntil } from '../../src/conformance/harness.ts'
import type { Change, Store } from '../../src/contract.ts'
import { openEtcdStore } from '../../src/etcd/open.ts'
import type { EtcdStoreOptions } from '../../src/etcd/options.ts'
import { type EtcdCluster, type EtcdClusterOptions, startEtcd } from '../etcd/etcd-cluster.ts'

export interface ClusterInTests {
  readonly cluster: EtcdCluster
  /** The options of a store in a prefix that no other test has. */
  fresh(): EtcdStoreOptions
}

/** One cluster for all tests of the file. */
export function clusterForTests(options: EtcdClusterOptions): ClusterInTests {
  let cluster: EtcdCluster | undefined
  let stores = 0
  beforeAll(async () => {
    cluster = await startEtcd({ fsync: false, electionMs: 300, ...options })
  })
  afterAll(() => cluster?.close())
  const running = (): EtcdCluster => {
    if (cluster === undefined) throw new Error('the cluster is not there')
    return cluster
  }
  return {
    get cluster() {
      return running()
    },
    fresh: () => ({ endpoints: running().endpoints, prefix: `/test/${++stores}` }),
  }
}

export async function opened(options: EtcdStoreOptions): Promise<Store> {
  const store = await openEtcdStore(options)
  onTestFinished(() => store.close())
  return store
}

/** Every change that is kept. */
export async function logOf(store: Store): Promise<Change[]> {
  return changesUntil(store, await store.horizon(), await store.revision())
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
