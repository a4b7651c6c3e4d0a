// Opens the store in an etcd cluster. The command line and tests call it.

import type { Store } from '../contract.ts'
import { connectEtcd } from './client/connect.ts'
import type { EtcdClient } from './client/contract.ts'
import { EtcdError, isEtcdError } from './client/etcd-error.ts'
import { EtcdStore } from './etcd-store.ts'
import { Layout } from './layout.ts'
import { newestChange } from './newest-change.ts'
import { type EtcdStoreOptions, withDefaults } from './options.ts'
import { Session } from './session.ts'
import { type HorizonState, markMoved, moveHorizon, type OpenedMeta, openMeta, raiseOffset } from './store-meta.ts'

export async function openEtcdStore(options: EtcdStoreOptions): Promise<Store> {
  return openOn(await connectEtcd(options), options)
}

/** The store closes the client. */
export async function openOn(client: EtcdClient, options: EtcdStoreOptions): Promise<Store> {
  const settings = withDefaults(options)
  const layout = new Layout(settings.prefix)
  try {
    await assertMayCompact(client, options.user)
    const opened = await openMeta(client, layout)
    if (opened.moved !== undefined && options.acceptMoved !== true) throw new StoreMovedError(layout, opened.moved)
    const { store, since, revision } = opened
    const session = new Session({ client, layout, settings, offset: store.offset, since })
    const { newest, horizon } = await findNewest(client, layout, opened, session.signal)
    return new EtcdStore(session, { newest, passed: Math.max(revision, newest), horizon })
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Recognised by its name, since a program may hold two copies of this package. */
export class StoreMovedError extends Error {
  override readonly name = 'StoreMovedError'

  constructor(layout: Layout, where: string) {
    const key = layout.meta('moved')
    super(`the objects were migrated to ${where}; delete the key ${key} in etcd to go on with them as they were before`)
  }
}

/** Without that right the store would grow until its quota stops it. */
async function assertMayCompact(client: EtcdClient, user: string | undefined): Promise<void> {
  try {
    // Nothing is older.
    await client.compact(0)
  } catch (cause) {
    if (!isEtcdError(cause, 'denied')) return
    const who = user === undefined ? 'this client' : `the user ${user}`
    throw new EtcdError('denied', `${who} may not compact: ${cause.message}`, { cause })
  }
}

async function findNewest(
  client: EtcdClient,
  layout: Layout,
  { since, revision, ...opened }: OpenedMeta,
  signal: AbortSignal,
): Promise<{ newest: number; horizon: HorizonState }> {
  let { horizon } = opened
  for (;;) {
    try {
      return { newest: await newestChange(client, layout, horizon.newest, revision, signal), horizon }
    } catch (error) {
      const kept = isEtcdError(error, 'compacted') ? (error.compactRevision ?? 0) : 0
      if (kept <= horizon.newest) throw error
      horizon = await moveHorizon(client, layout, since, kept)
    }
  }
}

/**
 * Makes all revisions from now on larger than the given one, and the past unreadable: what `migrate` and a restore from a
 * snapshot of etcd need. A server that has the store open stops with an error. Returns the first revision that can be given.
 */
export async function raiseRevisions(options: EtcdStoreOptions, above: number): Promise<number> {
  const client: EtcdClient = await connectEtcd(options)
  try {
    await raiseOffset(client, new Layout(withDefaults(options).prefix), above)
    return above + 1
  } finally {
    await client.close()
  }
}

/** Says that the objects are in another store from now on. No server opens this one any more, and those that have it open end. */
export async function markStoreMoved(options: EtcdStoreOptions, where: string): Promise<void> {
  const client = await connectEtcd(options)
  try {
    await markMoved(client, new Layout(withDefaults(options).prefix), where)
  } finally {
    await client.close()
  }
}

/** Takes that back, for a store that gets objects anew. */
export async function forgetStoreMoved(options: EtcdStoreOptions): Promise<void> {
  const client = await connectEtcd(options)
  try {
    const key = new Layout(withDefaults(options).prefix).meta('moved')
    await client.txn({ compare: [], success: [{ type: 'delete', key }] })
  } finally {
    await client.close()
  }
}
