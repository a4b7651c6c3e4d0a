// Opens the store in etcd for a server. Failures become Faults that say which flag or which member to look at. Loaded only with
// --store etcd.

import { messageOf } from '@homeostat/base'
import type { EtcdStoreOptions, Store } from '@homeostat/store'
import { type EtcdErrorKind, isEtcdError, openEtcdStore } from '@homeostat/store/etcd'
import { type DirectoryLock, lockDirectory } from '@homeostat/store/maintenance'
import { Fault } from '../fault.ts'
import type { storeOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { etcdSettings } from './etcd-settings.ts'
import { historySettings } from './history-settings.ts'

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
    const store = await openEtcd(settings)
    const close = store.close.bind(store)
    return Object.assign(store, { close: () => close().finally(() => lock.release()) })
  } catch (error) {
    lock.release()
    throw error
  }
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
function etcdFault(cause: unknown): Fault {
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
