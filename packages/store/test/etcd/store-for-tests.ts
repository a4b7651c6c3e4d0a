// Lets the tests of servers run on etcd, too: HOMEOSTAT_TEST_ETCD names the members of a cluster, and every store gets a prefix of its
// own in it. `npm run on-etcd` starts that cluster and sets the variable.

import { randomUUID } from 'node:crypto'
import type { Store } from '../../src/contract.ts'

/** Undefined unless the tests run on etcd. With a data directory it is the store of its servers. */
export async function etcdStoreForTests(directory = `/${randomUUID()}`): Promise<Store | undefined> {
  const endpoints = process.env.HOMEOSTAT_TEST_ETCD?.split(',')
  if (endpoints === undefined) return undefined
  // Loaded only here.
  const { openEtcdStore } = await import('../../src/etcd/index.ts')
  return openEtcdStore({ endpoints, prefix: prefixOf(directory) })
}

/** The flags of a server whose data directory this is; its next start finds the same store. None unless the tests run on etcd. */
export function etcdFlagsForTests(directory: string, args: readonly string[]): readonly string[] {
  const endpoints = process.env.HOMEOSTAT_TEST_ETCD
  const givesItself = args.some((arg) => arg === '--store' || arg.startsWith('--store='))
  if (endpoints === undefined || givesItself) return []
  const port = args.includes('--secure-port') ? [] : ['--secure-port', '0']
  return ['--store', 'etcd', '--etcd', endpoints, '--etcd-prefix', prefixOf(directory), ...port]
}

function prefixOf(directory: string): string {
  return `/tests${directory}`
}
