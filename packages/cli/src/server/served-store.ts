// Which store in etcd a data directory belongs to. A store is known by the uid of its namespace kube-system, which goes with its objects
// wherever they are migrated. So a wrong prefix, other members, or an etcd that lost its data does not pass for a store that holds
// nothing yet. `up` calls it; `up --join-file` learns the uid with the keys. With the uid goes the newest revision that this server has seen:
// an etcd that is behind it was restored from a snapshot whose revisions were given out before.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@homeostat/store'
import { Fault, systemCode } from '../fault.ts'
import { replaceDurable } from './durable-file.ts'
import { isMoved } from './moved-store.ts'

const MARK = 'served-store'
const KUBE_SYSTEM = 'core/namespaces/kube-system'
const REMEMBER_MS = 10_000

interface Mark {
  readonly uid: string
  /** 0: none is known. */
  readonly revision: number
}

/** Throws a Fault when the data directory belongs to another store. `where`, such as `/homeostat in etcd`. */
export async function refuseOtherStore(store: Store, directory: string, where: string): Promise<void> {
  const expected = markIn(directory)?.uid
  if (expected === undefined) return
  const found = await uidOf(store)
  if (found === expected) return
  const what = found === undefined ? 'holds no objects' : `is another store (kube-system has the uid ${found})`
  throw new Fault(
    `${where} ${what}, and ${directory} belongs to the store whose kube-system has the uid ${expected}; ` +
      `check --etcd and --etcd-prefix, or that etcd has its data, or delete ${join(directory, MARK)} to serve this one`,
  )
}

/** Throws a Fault for a server that would begin an empty store of its own, with the keys of those on etcd. */
export function refuseOwnStore(directory: string): void {
  if (markIn(directory) === undefined || existsSync(join(directory, 'homeostat.db'))) return
  throw new Fault(
    `${directory} belongs to a store in etcd and holds no objects; start with --store etcd, or delete ${join(directory, MARK)} to begin an empty store here`,
  )
}

/** The objects that a server had on its disk, when nobody has migrated them: why they are not there now. */
export function unservedObjects(directory: string): string | undefined {
  if (!existsSync(join(directory, 'homeostat.db')) || isMoved(directory)) return undefined
  return 'the objects in homeostat.db are not served, since this server is on etcd; `homeostat migrate --to etcd` copies them into an empty store there'
}

/** How far the store is behind what this server has seen of it; undefined when it is not, or is another one. */
export async function lossOf(store: Store, directory: string): Promise<{ known: number; found: number } | undefined> {
  const mark = markIn(directory)
  if (mark === undefined || mark.uid !== (await uidOf(store))) return undefined
  const found = await store.revision()
  return found < mark.revision ? { known: mark.revision, found } : undefined
}

/** Remembers the store as soon as it has its namespaces, and from then on every few seconds how far it is. */
export async function rememberStore(store: Store, directory: string, signal: AbortSignal): Promise<void> {
  const uid = await uidOf(store)
  markStore(directory, uid, await store.revision())
  const timer = setInterval(() => {
    store
      .revision()
      .then((revision) => markStore(directory, uid, revision))
      // An etcd without a leader, a full disk: the mark stays older than it could be, and the server goes on.
      .catch(() => {})
  }, REMEMBER_MS)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

export function markStore(directory: string, uid: string | undefined, revision = 0): void {
  const mark = markIn(directory)
  if (uid === undefined || (mark?.uid === uid && mark.revision >= revision)) return
  replaceDurable(join(directory, MARK), `${uid} ${revision}\n`)
}

async function uidOf(store: Store): Promise<string | undefined> {
  const entry = await store.get(KUBE_SYSTEM)
  if (entry?.value === undefined) return undefined
  const { metadata } = JSON.parse(Buffer.from(entry.value.bytes).toString()) as { metadata?: { uid?: string } }
  return metadata?.uid
}

function markIn(directory: string): Mark | undefined {
  try {
    const [uid = '', revision = '0'] = readFileSync(join(directory, MARK), 'utf8').trim().split(' ')
    return uid === '' ? undefined : { uid, revision: Number(revision) || 0 }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
