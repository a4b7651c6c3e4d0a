// A cluster of etcd for rows, of members that have every write on disk before they answer, as a server of the bench.

import { type EtcdCluster, startEtcd } from '@homeostat/store/testing/etcd/etcd-cluster'
import type { Lab } from '../lab.ts'
import type { Server } from './server.ts'

export interface Etcd extends Server {
  readonly cluster: EtcdCluster
  /** What makes a server of ours use it. */
  readonly flags: readonly string[]
}

export async function startEtcdFor(lab: Lab, members: number): Promise<Etcd> {
  const cluster = await startEtcd({ members })
  const [first] = cluster.members
  if (first?.pid === undefined) throw new Error('etcd did not start')
  const flags = ['--store', 'etcd', '--etcd', cluster.endpoints.join(',')]
  return lab.keep({ pid: first.pid, port: 0, stop: () => cluster.close(), cluster, flags })
}
