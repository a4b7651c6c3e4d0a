// What the store says of itself in etcd: its format, the offset of its numbers, and how far its past reaches. Opening,
// compaction and restoring call it. Every write of it compares what it was decided on.

import type { EtcdClient, KeyValue, Operation } from './client/contract.ts'
import type { Layout } from './layout.ts'

/** The value of `meta/store`. The revision of the key is a horizon: what is older was numbered otherwise, or is not there. */
export interface StoreMeta {
  readonly format: 1
  /** resourceVersion is etcd's revision plus this. */
  readonly offset: number
}

/** The value of `meta/horizon`, in etcd's revisions. */
export interface HorizonMeta {
  /** Nobody may ask for what is older. */
  readonly horizon: number
  /** How far the archive has been brought; behind the horizon while a compaction is under way. */
  readonly archived: number
  /** A change that is known to be the newest, or older than it: deletions below the horizon leave nothing to find. */
  readonly newest: number
  /** Which store wrote this. */
  readonly by: string
}

export interface HorizonState extends HorizonMeta {
  /** 0: it was never written. */
  readonly modRevision: number
}

export interface OpenedMeta {
  readonly store: StoreMeta
  readonly since: number
  readonly horizon: HorizonState
  /** Where its objects are now, if they were moved to another store. */
  readonly moved: string | undefined
  /** etcd's revision when this was read. */
  readonly revision: number
}

/** Reads it, and makes it in an empty prefix. */
export async function openMeta(client: EtcdClient, layout: Layout): Promise<OpenedMeta> {
  const name = layout.meta('store')
  const made: StoreMeta = { format: 1, offset: 0 }
  await client
    .txn({
      compare: [{ key: name, target: 'createRevision', value: 0 }],
      success: [putJson(name, made)],
    })
    .catch(() => {})
  const { kvs, revision } = await client.range(layout.under('meta', ''))
  const kv = kvs.find(({ key }) => key === name)
  if (kv === undefined) throw new Error(`etcd did not take the key ${name}; has the user the right to write it?`)
  const store = parseStoreMeta(kv)
  const since = kv.modRevision
  return {
    store,
    since,
    horizon: horizonState(findMeta(kvs, layout, 'horizon'), since),
    moved: findMeta(kvs, layout, 'moved')?.value.toString(),
    revision,
  }
}

export async function readHorizon(client: EtcdClient, layout: Layout, since: number): Promise<HorizonState> {
  const { kvs } = await client.range({ key: layout.meta('horizon') })
  return horizonState(kvs[0], since)
}

/**
 * etcd has forgotten more than the store asked for, as after a restored snapshot or a compaction by hand: the horizon is there now, and
 * whatever was the newest change is no newer.
 */
export async function moveHorizon(
  client: EtcdClient,
  layout: Layout,
  since: number,
  revision: number,
): Promise<HorizonState> {
  const state = await readHorizon(client, layout, since)
  if (state.horizon >= revision) return state
  const { archived, newest, by, modRevision } = state
  const moved: HorizonMeta = { horizon: revision, archived, newest: Math.max(newest, revision), by }
  await client.txn({
    compare: [
      { key: layout.meta('horizon'), target: 'modRevision', value: modRevision },
      { key: layout.meta('store'), target: 'modRevision', value: since },
    ],
    success: [putJson(layout.meta('horizon'), moved)],
  })
  // Another server may have been first, and went as far or not.
  return moveHorizon(client, layout, since, revision)
}

/** Nothing is older than `since`. */
export function horizonState(kv: KeyValue | undefined, since: number): HorizonState {
  const stored = kv === undefined ? undefined : (JSON.parse(kv.value.toString()) as HorizonMeta)
  return {
    horizon: Math.max(stored?.horizon ?? 0, since),
    archived: Math.max(stored?.archived ?? 0, since),
    newest: Math.max(stored?.newest ?? 0, since),
    by: stored?.by ?? '',
    modRevision: kv?.modRevision ?? 0,
  }
}

/**
 * Raises the offset so that every revision from now on is above the given one, and with it the horizon: what was numbered
 * before cannot be asked for. Returns the new offset.
 */
export async function raiseOffset(client: EtcdClient, layout: Layout, above: number): Promise<number> {
  const name = layout.meta('store')
  const { store, since, revision } = await openMeta(client, layout)
  const offset = Math.max(store.offset, above + 1 - revision)
  if (!Number.isSafeInteger(offset + revision)) throw new Error(`there are no revisions above ${above}`)
  const raised: StoreMeta = { ...store, offset }
  const { succeeded } = await client.txn({
    compare: [{ key: name, target: 'modRevision', value: since }],
    success: [putJson(name, raised)],
  })
  // Somebody else has raised it at the same time, but not necessarily as far.
  return succeeded ? offset : raiseOffset(client, layout, above)
}

/**
 * Says that the objects are elsewhere from now on: nobody opens the store any more, and a server that has it open, or comes back after
 * a pause, ends with its next write. Deleting the key `meta/moved` takes it back.
 */
export async function markMoved(client: EtcdClient, layout: Layout, where: string): Promise<void> {
  const name = layout.meta('store')
  const { store, since } = await openMeta(client, layout)
  const { succeeded } = await client.txn({
    compare: [{ key: name, target: 'modRevision', value: since }],
    // Every write of a server compares the revision of the first.
    success: [putJson(name, store), { type: 'put', key: layout.meta('moved'), value: [Buffer.from(where)] }],
  })
  if (!succeeded) await markMoved(client, layout, where)
}

export function putJson(key: string, value: object): Operation {
  return { type: 'put', key, value: [Buffer.from(JSON.stringify(value))] }
}

function parseStoreMeta(kv: KeyValue): StoreMeta {
  let meta: Partial<StoreMeta> = {}
  try {
    meta = JSON.parse(kv.value.toString())
  } catch {}
  if (meta.format !== 1 || !Number.isSafeInteger(meta.offset))
    throw new Error(`the store under ${kv.key} was written by a newer version, or by something else: ${kv.value}`)
  return meta as StoreMeta
}

function findMeta(kvs: readonly KeyValue[], layout: Layout, meta: 'horizon' | 'moved'): KeyValue | undefined {
  const name = layout.meta(meta)
  return kvs.find(({ key }) => key === name)
}
