// Opens the store in etcd for a server. Failures become Faults that say which flag or which member to look at. Loaded only with
// --store etcd.

import { messageOf } from '@homeostat/base'
import type { EtcdStoreOptions, Store } from '@homeostat/store'
import { type EtcdErrorKind, isEtcdError, openEtcdStore, raiseRevisions } from '@homeostat/store/etcd'
import { type DirectoryLock, lockDirectory } from '@homeostat/store/maintenance'
import { Fault } from '../fault.ts'
import type { storeOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { etcdSettings } from './etcd-settings.ts'
import { historySettings } from './history-settings.ts'
import { lossOf } from './served-store.ts'

type StoreValues = Values<(typeof storeOptions)[number]>

/** Holds the data directory, too, which has the keys and the folders of programs: no other server may use it at the same time. */
export async function openEtcdForServer(
  values: StoreValues,
  directory: string,
  env: Terminal['env'],
  onWarning: (warning: string) => void,
): Promise<Store> {
  const settings: EtcdStoreOptions = {
    ...etcdSettings(values, env),
    ...historySettings(values),
    maxPendingWrites: values['max-pending-writes'],
    horizonMs: values.horizon,
    horizonChanges: values['horizon-changes'],
    onWarning,
  }
  const lock = lockOf(directory)
  try {
    const store = await openWhole(settings, directory, values['on-loss'])
    const close = store.close.bind(store)
    return Object.assign(store, { close: () => close().finally(() => lock.release()) })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Others may have seen more than this server; their revisions are not given out again either. */
const UNSEEN_REVISIONS = 1_000_000

/** A store that is behind what this server has seen gives out those revisions once more, and clients would miss changes without a sign. */
async function openWhole(settings: EtcdStoreOptions, directory: string, onLoss: 'refuse' | 'continue'): Promise<Store> {
  const store = await openEtcd(settings)
  const loss = await inEtcd(lossOf(store, directory)).catch((error) => store.close().then(() => Promise.reject(error)))
  if (loss === undefined) return store
  await store.close()
  const { known, found } = loss
  const behind = `etcd has the revisions up to ${found}, and this server has seen ${known}: it was restored, or has lost writes`
  if (onLoss === 'refuse')
    throw new Fault(
      `${behind}; stop all servers and restore it with --bump-revision and --mark-compacted, or let one start with --on-loss continue, which gives out revisions above ${known}`,
    )
  await inEtcd(raiseRevisions(settings, known + UNSEEN_REVISIONS))
  settings.onWarning?.(`${behind}; revisions go on above ${known + UNSEEN_REVISIONS}, and every client lists anew`)
  return openEtcd(settings)
}

export function openEtcd(settings: EtcdStoreOptions): Promise<Store> {
  return inEtcd(openEtcdStore(settings))
}

/** What fails becomes a Fault. */
export async function inEtcd<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw etcdFault(cause)
  }
}

function lockOf(directory: string): DirectoryLock {
  try {
    return lockDirectory(directory)
  } catch (cause) {
    throw new Fault(messageOf(cause), { cause })
  }
}

/** In one line: what is wrong, as the members said it, and what to do. */
export function etcdFault(cause: unknown): Fault {
  if (cause instanceof Error && cause.name === 'StoreMovedError') return new Fault(cause.message, { cause })
  const message = messageOf(cause).replaceAll(/\s+/g, ' ')
  const advice = isEtcdError(cause) ? adviceOn(cause.kind, message) : undefined
  return new Fault(`etcd cannot be used: ${message}${advice === undefined ? '' : `; ${advice}`}`, { cause })
}

function adviceOn(kind: EtcdErrorKind, message: string): string | undefined {
  return ADVICE.find(([kinds, text]) => kinds.includes(kind) && text.test(message))?.[2]
}

/** The first row that fits. Only etcd and Node know what went wrong, and they tell it in words. */
const ADVICE: readonly (readonly [kinds: readonly EtcdErrorKind[], text: RegExp, advice: string])[] = [
  [['denied'], /certificate/i, "--etcd-ca-file must hold the authority of the members' certificates"],
  [['denied'], /(?:)/, 'check --etcd-user and its password; it needs the role root, since nobody else may compact'],
  [['unreachable'], /before secure TLS/, 'the member may be one of http'],
  [
    ['unreachable'],
    /stream was reset|alert/,
    'the member may be one of https, or want another certificate: --etcd-cert-file and --etcd-key-file',
  ],
  [['unreachable', 'timeout'], /(?:)/, 'is etcd running there, and does --etcd name the client addresses?'],
  [['no-space'], /(?:)/, 'compact, defragment or raise --quota-backend-bytes, then disarm the alarm'],
]
