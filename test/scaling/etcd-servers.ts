// `homeostat up` on a real etcd, as people run it: one cluster, servers with data directories of their own, the keys by join codes.

import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type EtcdClusterOptions, startEtcd } from '@homeostat/store/testing/etcd/etcd-cluster'
import { onTestFinished } from 'vitest'
import { homeostat } from '../command-line.ts'
import { type ServerProcess, startServer } from '../server-process.ts'

/** It ends with the test. */
export async function etcdForTest(options: EtcdClusterOptions = {}) {
  const cluster = await startEtcd({ fsync: false, ...options })
  onTestFinished(() => cluster.close())
  return cluster
}

export interface EtcdServer extends ServerProcess {
  readonly directory: string
}

/** Servers on one store. */
export class EtcdServers {
  readonly all: EtcdServer[] = []
  readonly #endpoints: readonly string[]

  constructor(endpoints: readonly string[]) {
    this.#endpoints = endpoints
  }

  /** The flags of every server of the store. */
  get flags(): string[] {
    return ['--store', 'etcd', '--etcd', this.#endpoints.join(',')]
  }

  /** The first makes the keys; each further one gets them by a code of the first. */
  async start(...flags: readonly string[]): Promise<EtcdServer> {
    const directory = temporaryFolder()
    const [first] = this.all
    const joined = first === undefined ? [] : ['--join-file', await this.#joinCode(first)]
    const server = await this.startIn(directory, ...joined, ...flags)
    this.all.push(server)
    return server
  }

  /** In a data directory that has the keys. */
  async startIn(directory: string, ...flags: readonly string[]): Promise<EtcdServer> {
    const ports = flags.includes('--secure-port') ? [] : ['--secure-port', '0']
    return { ...(await startServer(directory, [...this.flags, ...ports, ...flags])), directory }
  }

  async #joinCode({ directory }: EtcdServer): Promise<string> {
    const file = join(temporaryFolder(), 'join-code')
    const { code, stderr } = await homeostat('server', 'join-code', '--data-dir', directory, '--out', file)
    if (code !== 0) throw new Error(stderr)
    return file
  }
}
