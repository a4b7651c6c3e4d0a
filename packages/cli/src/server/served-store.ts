// Which store in etcd a data directory belongs to. A store is known by the uid of its namespace kube-system, which goes with its objects
// wherever they are migrated. So a wrong prefix, other members, or an etcd that lost its data does not pass for a store that holds
// nothing yet. `up` calls it; `up --join-file` learns the uid with the keys.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@homeostat/store'
import { Fault, systemCode } from '../fault.ts'
import { replaceDurable } from './durable-file.ts'
import { isMoved } from './moved-store.ts'

const MARK = 'served-store'
const KUBE_SYSTEM = 'core/namespaces/kube-system'

/** Throws a Fault when the data directory belongs to another store. `where`, such as `/homeostat in etcd`. */
export async function refuseOtherStore(store: Store, directory: string, where: string): Promise<void> {
  const expected = markIn(directory)
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

/** Once the server runs, so that the store has the namespace. */
export async function rememberStore(store: Store, directory: string): Promise<void> {
  markStore(directory, await uidOf(store))
}

export function markStore(directory: string, uid: string | undefined): void {
  if (uid !== undefined && uid !== markIn(directory)) replaceDurable(join(directory, MARK), `${uid}\n`)
}

async function uidOf(store: Store): Promise<string | undefined> {
  const entry = await store.get(KUBE_SYSTEM)
  if (entry?.value === undefined) return undefined
  const { metadata } = JSON.parse(Buffer.from(entry.value.bytes).toString()) as { metadata?: { uid?: string } }
  return metadata?.uid
}

function markIn(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, MARK), 'utf8').trim()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
