// The stores that curves are drawn of, and what a server needs for each.

import type { Lab } from '../lab.ts'
import { type Etcd, startEtcdFor } from '../servers/etcd.ts'
import { secureFlags } from '../servers/secure.ts'

export const STORES = ['SQLite', 'etcd'] as const
export type StoreName = (typeof STORES)[number]

export interface OpenedStore {
  readonly flags: readonly string[]
  readonly etcd: Etcd | undefined
}

/** etcd has one member, which waits for its disk. */
export async function openStore(lab: Lab, store: StoreName): Promise<OpenedStore> {
  if (store === 'SQLite') return { flags: [], etcd: undefined }
  const etcd = await startEtcdFor(lab, 1)
  return { flags: [...etcd.flags, ...(await secureFlags())], etcd }
}
